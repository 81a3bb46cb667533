import { Label } from "@capstan/contract";
import type { ReconcileContext } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import type { Turn } from "../gate/turn.ts";
import type { ObjectContext } from "./author.ts";
import type { Identity } from "./identity.ts";
import type { InstallationView } from "./installation.ts";
import { ownerOf } from "./owner.ts";
import type { SecretRef } from "./credentials.ts";
import type { SecretReader } from "./credentials.ts";
import type { ObjectChanges } from "./save/object-changes.ts";

const tagKey = "capstan-uid";
const tagPrefix = `${tagKey}=`;

/** Returns whether a tag of a cloud's resource is some object's `Identity.tag`: the resource was made for it. */
export const isIdentityTag = (tag: string): boolean => tag.startsWith(tagPrefix);

/** Who an object is to the outside world. */
export const identityOf = (
  object: KubeObject,
  clusterName: string | undefined,
  installation?: Pick<InstallationView, "mark">,
): Identity => ({
  namespace: object.metadata.namespace ?? "",
  name: object.metadata.name ?? "",
  uid: object.metadata.uid ?? "",
  tag: `${tagPrefix}${object.metadata.uid ?? ""}`,
  label: { key: tagKey, value: object.metadata.uid ?? "" },
  clusterName: clusterName ?? object.metadata.labels?.[Label.clusterName] ?? "",
  owner: ownerOf(object),
  ...(installation !== undefined && { epoch: installation.mark }),
});

/** Where a Secret reference points to when it has no namespace of its own. */
export const wholeRef = (ref: SecretRef, object: KubeObject): Required<SecretRef> => ({
  name: ref.name,
  namespace: ref.namespace ?? object.metadata.namespace ?? "",
});

export interface ContextParts<O extends KubeObject> {
  readonly changes: ObjectChanges<O>;
  readonly clusterName: string | undefined;
  readonly context: ReconcileContext;
  readonly installation: InstallationView | undefined;
  readonly openWrites: ObjectContext<O>["openWrites"];
  readonly readSecret: ObjectContext<O>["readSecret"];
  readonly secrets: SecretReader;
  readonly turn: Turn;
}

/** The part of a verb's context that needs no connection. */
export const objectContext = <O extends KubeObject>(parts: ContextParts<O>): ObjectContext<O> => {
  const { changes, context, openWrites, readSecret, secrets } = parts;
  const { object } = changes;
  return {
    object,
    changes,
    environment: context,
    secrets,
    openWrites,
    identity: identityOf(object, parts.clusterName, parts.installation),
    log: context.log,
    clock: context.clock,
    random: context.random,
    call: { signal: context.signal, sent: openWrites.sent, turn: parts.turn },
    event: (event) => context.events.event(object, event),
    readSecret,
  };
};

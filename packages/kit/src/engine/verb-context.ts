import { Label } from "@capstan/contract";
import type { ReconcileContext, Request } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import type { Credentials, SecretRef } from "./credentials.ts";
import type { Identity, ObjectContext } from "./author.ts";
import { credentialsOf, secretMissing } from "./credentials.ts";
import type { SecretReader } from "./credentials.ts";
import type { ObjectChanges } from "./save/object-changes.ts";

const tagKey = "capstan-uid";
const tagPrefix = `${tagKey}=`;

/** Whether a tag of a cloud's resource is some object's `Identity.tag`: the resource was made for it. */
export const isIdentityTag = (tag: string): boolean => tag.startsWith(tagPrefix);

/** Who an object is to the outside world. */
export const identityOf = (object: KubeObject, clusterName: string | undefined): Identity => ({
  namespace: object.metadata.namespace ?? "",
  name: object.metadata.name ?? "",
  uid: object.metadata.uid ?? "",
  tag: `${tagPrefix}${object.metadata.uid ?? ""}`,
  label: { key: tagKey, value: object.metadata.uid ?? "" },
  clusterName: clusterName ?? object.metadata.labels?.[Label.clusterName] ?? "",
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
  readonly request: Request;
  readonly secrets: SecretReader;
}

/** The part of a verb's context that needs no connection. */
export const objectContext = <O extends KubeObject>(parts: ContextParts<O>): ObjectContext<O> => {
  const { changes, context, request, secrets } = parts;
  const { object } = changes;
  return {
    object,
    changes,
    environment: context,
    secrets,
    identity: identityOf(object, parts.clusterName),
    log: context.log,
    clock: context.clock,
    random: context.random,
    call: { signal: context.signal },
    event: (event) => context.events.event(object, event),
    readSecret: async (ref) => {
      const whole = wholeRef(ref, object);
      const read = await secrets.read(whole, request, context);
      return read === undefined ? undefined : credentialsOf(whole, read.fingerprint, read.data);
    },
  };
};

/** The credentials behind a reference; `undefined` without one. Throws `credentials.secret_missing`. */
export const readCredentials = async (
  ref: Required<SecretRef> | undefined,
  parts: { readonly context: ReconcileContext; readonly request: Request; readonly secrets: SecretReader },
): Promise<Credentials | undefined> => {
  if (ref === undefined) return undefined;
  const read = await parts.secrets.read(ref, parts.request, parts.context);
  if (read === undefined) throw secretMissing(ref);
  return credentialsOf(ref, read.fingerprint, read.data);
};

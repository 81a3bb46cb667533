import { Label } from "@capstan/contract";
import type { ReconcileContext, Request } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import type { Credentials, Identity, SecretRef, VerbContext } from "../roles/author.ts";
import { credentialsOf, secretMissing } from "./credentials.ts";
import type { SecretReader } from "./credentials.ts";

const tagPrefix = "capstan-uid=";

/** Whether a tag of a cloud's resource is some object's `Identity.tag`: the resource was made for it. */
export const isIdentityTag = (tag: string): boolean => tag.startsWith(tagPrefix);

export const identityOf = (object: KubeObject, cluster: KubeObject): Identity => ({
  namespace: object.metadata.namespace ?? "",
  name: object.metadata.name ?? "",
  uid: object.metadata.uid ?? "",
  tag: `${tagPrefix}${object.metadata.uid ?? ""}`,
  clusterName: cluster.metadata.name ?? object.metadata.labels?.[Label.clusterName] ?? "",
});

/** Where a Secret reference points to when it has no namespace of its own. */
export const wholeRef = (ref: SecretRef, object: KubeObject): Required<SecretRef> => ({
  name: ref.name,
  namespace: ref.namespace ?? object.metadata.namespace ?? "",
});

export interface ContextParts<O extends KubeObject, Api> {
  readonly object: O;
  readonly api: Api;
  readonly owner: KubeObject;
  readonly cluster: KubeObject;
  readonly context: ReconcileContext;
  readonly request: Request;
  readonly secrets: SecretReader;
}

/** The part of a verb's context that all shells share. */
export const verbContext = <O extends KubeObject, Api>(parts: ContextParts<O, Api>): VerbContext<O, Api> => {
  const { object, context, request, secrets } = parts;
  return {
    object,
    identity: identityOf(object, parts.cluster),
    api: parts.api,
    owner: parts.owner,
    cluster: parts.cluster,
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

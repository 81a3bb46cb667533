import { CapstanError } from "@capstan/contract";
import type { KubeObject, OwnerReference } from "@capstan/schema";

/** A reference to a stored object. Throws `kube.bad_request` when the object has no uid yet. */
export const ownerReferenceTo = (
  owner: KubeObject,
  flags: { readonly controller?: boolean; readonly blockOwnerDeletion?: boolean } = {},
): OwnerReference => {
  const { name, uid } = owner.metadata;
  if (name === undefined || uid === undefined) {
    throw new CapstanError({
      code: "kube.bad_request",
      reason: "BadRequest",
      message: `${owner.kind} "${name ?? ""}" has no uid and cannot own anything; create it first`,
    });
  }
  return { apiVersion: owner.apiVersion, kind: owner.kind, name, uid, ...flags };
};

/** By uid: an object of the same name that was created later is another one. */
export const isOwnedBy = (object: KubeObject, owner: KubeObject): boolean =>
  (object.metadata.ownerReferences ?? []).some(({ uid }) => uid === owner.metadata.uid);

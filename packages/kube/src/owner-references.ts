import { CapstanError } from "@capstan/contract";
import type { KubeObject, OwnerReference } from "@capstan/schema";

const groupOf = (apiVersion: string): string =>
  apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";

/** Whether both name the same object, whatever the version: by group, kind and name. */
const sameOwner = (a: OwnerReference, b: OwnerReference): boolean =>
  groupOf(a.apiVersion) === groupOf(b.apiVersion) && a.kind === b.kind && a.name === b.name;

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

/** The references with one added; an older reference to the same object is replaced in its place. */
export const withOwner = (
  references: readonly OwnerReference[] | undefined,
  reference: OwnerReference,
): readonly OwnerReference[] => {
  const known = references ?? [];
  return known.some((other) => sameOwner(other, reference))
    ? known.map((other) => (sameOwner(other, reference) ? reference : other))
    : [...known, reference];
};

export const withoutOwner = (
  references: readonly OwnerReference[] | undefined,
  owner: KubeObject,
): readonly OwnerReference[] => (references ?? []).filter(({ uid }) => uid !== owner.metadata.uid);

/** By uid: an object of the same name that was created later is another one. */
export const isOwnedBy = (object: KubeObject, owner: KubeObject): boolean =>
  (object.metadata.ownerReferences ?? []).some(({ uid }) => uid === owner.metadata.uid);

/** The reference to the controlling owner. */
export const controllerOf = (object: KubeObject): OwnerReference | undefined =>
  object.metadata.ownerReferences?.find(({ controller }) => controller === true);

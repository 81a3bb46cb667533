import { groupOf } from "@capstan/kube-values";
import type { KubeObject, OwnerReference, Resource } from "@capstan/schema";
import { apiVersionOf } from "@capstan/schema";

/** The first owner reference to a kind, in any of its versions. */
export const ownerOfKind = (object: KubeObject, kind: Pick<Resource, "group" | "kind">): OwnerReference | undefined =>
  object.metadata.ownerReferences?.find(
    (reference) => reference.kind === kind.kind && groupOf(reference.apiVersion) === kind.group,
  );

/** The owner that controls an object; there is at most one. */
export const controllerOf = (object: KubeObject): OwnerReference | undefined =>
  object.metadata.ownerReferences?.find((reference) => reference.controller === true);

/** A reference that makes `owner` own something. */
export const ownerReference = (
  resource: Pick<Resource, "group" | "version" | "kind">,
  owner: KubeObject,
  options: { readonly controller?: boolean; readonly blockOwnerDeletion?: boolean } = {},
): OwnerReference => ({
  apiVersion: apiVersionOf(resource),
  kind: resource.kind,
  name: owner.metadata.name ?? "",
  uid: owner.metadata.uid ?? "",
  ...(options.controller === undefined ? {} : { controller: options.controller }),
  ...(options.blockOwnerDeletion === undefined ? {} : { blockOwnerDeletion: options.blockOwnerDeletion }),
});

/**
 * The list with `wanted` in it: an entry for the same owner (same group, kind and name, or same uid) is replaced in place, else it
 * is appended. The same list comes back when nothing changes.
 */
export const withOwnerReference = (
  references: readonly OwnerReference[] | undefined,
  wanted: OwnerReference,
): readonly OwnerReference[] => {
  const list = references ?? [];
  const same = (candidate: OwnerReference): boolean =>
    candidate.uid === wanted.uid ||
    (candidate.kind === wanted.kind &&
      candidate.name === wanted.name &&
      groupOf(candidate.apiVersion) === groupOf(wanted.apiVersion));
  const index = list.findIndex(same);
  const before = list[index];
  if (before === undefined) return [...list, wanted];
  const unchanged =
    before.apiVersion === wanted.apiVersion &&
    before.uid === wanted.uid &&
    before.name === wanted.name &&
    (before.controller ?? false) === (wanted.controller ?? false) &&
    (before.blockOwnerDeletion ?? false) === (wanted.blockOwnerDeletion ?? false);
  return unchanged ? list : list.with(index, wanted);
};

import { controllerOf, groupOf } from "@capstan/contract/wire";
import type { KubeObject, OwnerReference } from "@capstan/schema";

export const isOwnedBy = ({ metadata }: KubeObject, owner: KubeObject): boolean =>
  metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) ?? false;

export const isControlledBy = (object: KubeObject, owner: KubeObject): boolean =>
  controllerOf(object)?.uid === owner.metadata.uid;

/** The references without those to owners of this group and one of these kinds; the same list when there are none. */
export const withoutOwnerKinds = (
  references: readonly OwnerReference[],
  group: string,
  kinds: readonly string[],
): readonly OwnerReference[] => {
  const kept = references.filter(({ apiVersion, kind }) => !(groupOf(apiVersion) === group && kinds.includes(kind)));
  return kept.length === references.length ? references : kept;
};

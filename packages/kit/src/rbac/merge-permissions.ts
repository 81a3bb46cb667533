import type { PermissionV1, PermissionVerbV1 } from "@capstan/contract/v1";
import { byText } from "@capstan/kube-values";

const nameOf = ({ group, resource }: PermissionV1): string => `${group}/${resource}`;

const verbOrder: readonly PermissionVerbV1[] = ["get", "list", "watch", "create", "update", "patch", "delete"];

/** One entry per resource, in a stable order; what one uses always and another rarely is used always. */
export const mergePermissions = (permissions: readonly PermissionV1[]): readonly PermissionV1[] =>
  Array.from(Map.groupBy(permissions, nameOf).values(), (same) => {
    const [first] = same as [PermissionV1, ...PermissionV1[]];
    const used = new Set(same.flatMap(({ verbs }) => verbs));
    const rarely = Object.fromEntries(
      same
        .flatMap((entry) => Object.entries(entry.rarely ?? {}))
        .filter(([verb]) => !used.has(verb as PermissionVerbV1)),
    );
    return {
      group: first.group,
      resource: first.resource,
      verbs: verbOrder.filter((verb) => used.has(verb)),
      ...(Object.keys(rarely).length > 0 && { rarely }),
      ...(first.namespaced === false && { namespaced: false }),
    };
  }).toSorted((a, b) => byText(nameOf(a), nameOf(b)));

/** Every verb that is granted. */
export const grantedVerbs = ({ verbs, rarely = {} }: PermissionV1): readonly PermissionVerbV1[] =>
  verbOrder.filter((verb) => verbs.includes(verb) || rarely[verb] !== undefined);

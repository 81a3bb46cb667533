import type { ControllerPermissionsV1, PermissionV1 } from "@capstan/contract/v1";
import { ClusterResource, MachineResource, SecretResource } from "@capstan/contract/wire";
import { resource, type Resource } from "@capstan/schema";
import { kindPermissions, watched } from "../engine/permissions.ts";

const templateOf = ({ group, version, kind }: Resource): Resource =>
  resource({ group, version, kind: `${kind}Template`, plural: `${kind.toLowerCase()}templates` });

/** What core does with a kind of which it makes one object per Machine, and with its templates. */
export const clonedByCore = (kind: Resource): readonly PermissionV1[] => [
  watched(kind, ["create", "patch", "delete"]),
  watched(templateOf(kind), ["patch"]),
];

export const bootstrapPermissions = (
  kind: Resource,
  author: readonly PermissionV1[] = [],
): ControllerPermissionsV1 => ({
  own: [
    ...kindPermissions(kind),
    watched(MachineResource),
    watched(ClusterResource),
    watched(SecretResource, ["get", "create"], { patch: "a Secret that lost its owner when it was moved" }),
    ...author,
  ],
  core: clonedByCore(kind),
});

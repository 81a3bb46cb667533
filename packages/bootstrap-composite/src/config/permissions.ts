import { Group } from "@capstan/contract";
import type { PermissionV1 } from "@capstan/contract/v1";
import { CustomResourceDefinitionResource } from "@capstan/contract/wire";
import { watched } from "@capstan/kit";

/** Parts may be of any kind in the group that bootstrap providers share. Another group needs a role of the operator's. */
export const partPermissions: readonly PermissionV1[] = [
  watched(CustomResourceDefinitionResource),
  watched({ group: Group.bootstrap, plural: "*", namespaced: true }, ["create"], {
    get: "a config that was made before a crash",
    patch: "a config that configRef names",
  }),
];

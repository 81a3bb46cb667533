import type { PermissionV1 } from "@capstan/contract/v1";
import { resource, type Resource } from "@capstan/schema";
import { watched } from "../engine/permissions.ts";

const templateOf = ({ group, version, kind }: Resource): Resource =>
  resource({ group, version, kind: `${kind}Template`, plural: `${kind.toLowerCase()}templates` });

/** Returns core's permissions on a kind with one object per Machine, and on its templates. */
export const clonedByCore = (kind: Resource): readonly PermissionV1[] => [
  watched(kind, ["create", "patch", "delete"]),
  watched(templateOf(kind), ["patch"]),
];

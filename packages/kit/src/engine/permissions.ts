import type { ControllerPermissionsV1, PermissionV1, PermissionVerbV1 } from "@capstan/contract/v1";
import { ClusterResource, MachineResource, SecretResource } from "@capstan/contract/wire";
import { resource, type Resource } from "@capstan/schema";

type Rarely = NonNullable<PermissionV1["rarely"]>;

/** Verbs on a kind, or on a subresource of it. `rarely`: verbs that only some runs use, with the occasion. */
export const permission = (
  { group, plural, namespaced }: Pick<Resource, "group" | "plural" | "namespaced">,
  verbs: readonly PermissionVerbV1[],
  options: { readonly subresource?: string; readonly rarely?: Rarely } = {},
): PermissionV1 => ({
  group,
  resource: options.subresource === undefined ? plural : `${plural}/${options.subresource}`,
  verbs,
  ...(options.rarely !== undefined && { rarely: options.rarely }),
  ...(!namespaced && { namespaced: false }),
});

/** A kind that is followed by an informer, and what else is done with it. */
export const watched = (
  kind: Pick<Resource, "group" | "plural" | "namespaced">,
  verbs: readonly PermissionVerbV1[] = [],
  rarely: Rarely = {},
): PermissionV1 =>
  permission(kind, ["watch", ...verbs], {
    rarely: { list: "API servers that cannot begin a watch with a list", ...rarely },
  });

const Event = resource({ group: "", version: "v1", kind: "Event", plural: "events" });

/** Events about objects: made, and counted up when they repeat. */
export const eventPermissions: readonly PermissionV1[] = [
  permission(Event, ["create"], { rarely: { patch: "an event that repeats" } }),
];

/** The objects of a shell's own kind. */
const shellKind = (kind: Resource): readonly PermissionV1[] => [
  watched(kind, ["patch"]),
  permission(kind, ["patch"], { subresource: "status" }),
];

const templateOf = ({ group, version, kind }: Resource): Resource =>
  resource({ group, version, kind: `${kind}Template`, plural: `${kind.toLowerCase()}templates` });

/** What core does with a kind of which it makes one object per Machine, and with its templates. */
const clonedByCore = (kind: Resource): readonly PermissionV1[] => [
  watched(kind, ["create", "patch", "delete"]),
  watched(templateOf(kind), ["patch"]),
];

export const machinePermissions = (kind: Resource, clusterKind: Resource): ControllerPermissionsV1 => ({
  own: [
    ...shellKind(kind),
    watched(clusterKind),
    watched(MachineResource),
    watched(ClusterResource),
    watched(SecretResource, ["get"]),
    ...eventPermissions,
  ],
  core: clonedByCore(kind),
});

export const clusterPermissions = (kind: Resource, machineKind: Resource): ControllerPermissionsV1 => ({
  own: [
    ...shellKind(kind),
    watched(machineKind),
    watched(MachineResource),
    watched(ClusterResource),
    watched(SecretResource, ["get"]),
    ...eventPermissions,
  ],
  core: [watched(kind, ["patch", "delete"])],
});

export const bootstrapPermissions = (
  kind: Resource,
  author: readonly PermissionV1[] = [],
): ControllerPermissionsV1 => ({
  own: [
    ...shellKind(kind),
    watched(MachineResource),
    watched(ClusterResource),
    watched(SecretResource, ["get", "create"], { patch: "a Secret that lost its owner when it was moved" }),
    ...eventPermissions,
    ...author,
  ],
  core: clonedByCore(kind),
});

import type { PermissionV1, PermissionVerbV1 } from "@capstan/contract/v1";
import { SecretResource } from "@capstan/contract/wire";
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

/** When a kind that is watched is listed. */
export const listsFirst = "API servers that cannot begin a watch with a list";

/** A kind that is followed by an informer, and what else is done with it. */
export const watched = (
  kind: Pick<Resource, "group" | "plural" | "namespaced">,
  verbs: readonly PermissionVerbV1[] = [],
  rarely: Rarely = {},
): PermissionV1 =>
  permission(kind, ["watch", ...verbs], {
    rarely: { list: listsFirst, ...rarely },
  });

const Event = resource({ group: "", version: "v1", kind: "Event", plural: "events" });

/** Events about objects: made, and counted up when they repeat. */
export const eventPermissions: readonly PermissionV1[] = [
  permission(Event, [], { rarely: { create: "what goes otherwise than well", patch: "an event that repeats" } }),
];

/** Returns the engine's permissions on the objects of a kind and on the Secrets that they reference. */
export const kindPermissions = (kind: Resource, { held }: { readonly held: boolean }): readonly PermissionV1[] => [
  watched(kind, held ? ["patch"] : [], { get: "an object that is gone when it is written" }),
  permission(kind, ["patch"], { subresource: "status" }),
  watched(SecretResource, ["get"]),
  ...eventPermissions,
];

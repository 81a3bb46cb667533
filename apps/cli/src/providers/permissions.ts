import type { PermissionV1, ProviderV1 } from "@capstan/contract/v1";
import { mergePermissions } from "@capstan/kit";
import { controllersOf } from "./compose-manager.ts";

/** Returns the permissions of a provider's controllers, merged: one entry per resource. */
export const ownPermissions = (provider: ProviderV1): readonly PermissionV1[] =>
  mergePermissions(controllersOf(provider).flatMap(({ permissions }) => permissions?.own ?? []));

/** Returns core's permissions on a provider's kinds. */
export const corePermissionsOn = (provider: ProviderV1): readonly PermissionV1[] =>
  mergePermissions(controllersOf(provider).flatMap(({ permissions }) => permissions?.core ?? []));

/**
 * Permissions of every process that runs with these settings. `tokens`: metrics are shown to users whom the API server
 * allows.
 */
export const diagnosticsPermissions: readonly PermissionV1[] = [
  { group: "authentication.k8s.io", resource: "tokenreviews", verbs: ["create"], namespaced: false },
  { group: "authorization.k8s.io", resource: "subjectaccessreviews", verbs: ["create"], namespaced: false },
];

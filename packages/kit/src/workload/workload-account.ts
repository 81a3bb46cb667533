import type { PermissionVerbV1 } from "@capstan/contract/v1";
import type { Resource } from "@capstan/schema";

/** Permissions of an account on one resource of a workload cluster: a rule of its Role or ClusterRole. */
export interface WorkloadPermission {
  /** Empty for the core group. */
  readonly group: string;
  /** Plural, with a subresource behind a slash: `pods/eviction`. */
  readonly resource: string;
  /** `bind`, of roles: giving them to others without having their rights. */
  readonly verbs: readonly (PermissionVerbV1 | "bind")[];
  /** Only objects of these names; not with `create`, `list` and `watch`, whose requests name no object. Default: all. */
  readonly names?: readonly string[];
  /** Only in this namespace. Default: in all, and outside of namespaces. */
  readonly namespace?: string;
}

/**
 * As whom a provider works in workload clusters: its requests carry `Impersonate-User: capstan:<name>`, and that user may do what the
 * permissions say and nothing else. Where the kubeconfig permits no impersonation or no roles, requests are made as its own user.
 */
export interface WorkloadAccount {
  /** The provider's, for example `infra-acme`: lower-case letters, digits and hyphens. */
  readonly name: string;
  /** At least one. */
  readonly permissions: readonly WorkloadPermission[];
}

/** Verbs on a kind of workload clusters, or on a subresource of it. */
export const workloadPermission = (
  { group, plural }: Pick<Resource, "group" | "plural">,
  verbs: WorkloadPermission["verbs"],
  { subresource, ...limits }: Pick<WorkloadPermission, "names" | "namespace"> & { readonly subresource?: string } = {},
): WorkloadPermission => ({
  group,
  resource: subresource === undefined ? plural : `${plural}/${subresource}`,
  verbs,
  ...limits,
});

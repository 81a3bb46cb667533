import type { TypeTable } from "../type-table.ts";

/** Types of rbac.authorization.k8s.io/v1; the notation is described at `TypeTable`. Source: Kubernetes 1.36. */
export const rbacTypes: TypeTable = {
  AggregationRule: "clusterRoleSelectors 1 [LabelSelector]",
  ClusterRole: "metadata 1 ObjectMeta; rules 2 [PolicyRule]; aggregationRule 3 AggregationRule",
  ClusterRoleBinding: "metadata 1 ObjectMeta; subjects 2 [Subject]; roleRef 3 RoleRef required",
  PolicyRule:
    "verbs 1 [string] required; apiGroups 2 [string]; resources 3 [string]; resourceNames 4 [string]; nonResourceURLs 5 [string]",
  Role: "metadata 1 ObjectMeta; rules 2 [PolicyRule]",
  RoleBinding: "metadata 1 ObjectMeta; subjects 2 [Subject]; roleRef 3 RoleRef required",
  RoleRef: "@atomic; apiGroup 1 string; kind 2 string required; name 3 string required",
  Subject: "@atomic; kind 1 string required; apiGroup 2 string; name 3 string required; namespace 4 string",
};

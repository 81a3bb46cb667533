import type { KubeObject } from "@capstan/schema";
import type { PolicyRule } from "./rbac-rules.ts";
import { rbacGroup } from "./rbac.ts";

const apiVersion = `${rbacGroup}/v1`;
const bootstrapLabel = { "kubernetes.io/bootstrapping": "rbac-defaults" };

/** Who is bound to a role. */
export type Subject = Readonly<Record<string, string>>;

export const group = (name: string): Subject => ({ kind: "Group", apiGroup: rbacGroup, name });

export const rule = (
  verbs: readonly string[],
  groups: readonly string[],
  resources: readonly string[],
  names?: readonly string[],
) => ({
  verbs,
  apiGroups: groups,
  resources,
  ...(names === undefined ? {} : { resourceNames: names }),
});

export const paths = (...nonResourceURLs: readonly string[]): PolicyRule => ({ verbs: ["get"], nonResourceURLs });

export const clusterRole = (
  name: string,
  rules: readonly PolicyRule[],
  labels: Readonly<Record<string, string>> = {},
): KubeObject => ({
  apiVersion,
  kind: "ClusterRole",
  metadata: { name, labels: { ...bootstrapLabel, ...labels } },
  rules,
});

export const aggregated = (name: string, extra: Readonly<Record<string, string>> = {}): KubeObject => ({
  apiVersion,
  kind: "ClusterRole",
  metadata: { name, labels: { ...bootstrapLabel, ...extra } },
  aggregationRule: {
    clusterRoleSelectors: [{ matchLabels: { [`${rbacGroup}/aggregate-to-${name}`]: "true" } }],
  },
  rules: [],
});

export const clusterBinding = (name: string, role: string, ...subjects: readonly Subject[]): KubeObject => ({
  apiVersion,
  kind: "ClusterRoleBinding",
  metadata: { name, labels: bootstrapLabel },
  roleRef: { apiGroup: rbacGroup, kind: "ClusterRole", name: role },
  subjects,
});

/** An account in kube-system. */
export const account = (name: string): Subject => ({ kind: "ServiceAccount", name, namespace: "kube-system" });

export const user = (name: string): Subject => ({ kind: "User", apiGroup: rbacGroup, name });

export const role = (namespace: string, name: string, rules: readonly PolicyRule[]): KubeObject => ({
  apiVersion,
  kind: "Role",
  metadata: { name, namespace, labels: bootstrapLabel },
  rules,
});

export const binding = (
  namespace: string,
  name: string,
  roleName: string,
  ...subjects: readonly Subject[]
): KubeObject => ({
  apiVersion,
  kind: "RoleBinding",
  metadata: { name, namespace, labels: bootstrapLabel },
  roleRef: { apiGroup: rbacGroup, kind: "Role", name: roleName },
  subjects,
});

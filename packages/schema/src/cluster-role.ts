import type { Resource } from "./resource.ts";

/** One rule of a ClusterRole (rbac.authorization.k8s.io/v1). */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

export interface ClusterRole {
  readonly apiVersion: "rbac.authorization.k8s.io/v1";
  readonly kind: "ClusterRole";
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly rules: readonly PolicyRule[];
}

export interface ClusterRoleOptions {
  /** Kinds whose objects the holder controls: all verbs, their status and their finalizers. */
  readonly manages?: readonly Resource[];
  /** Kinds the holder only looks at. */
  readonly reads?: readonly Resource[];
  readonly rules?: readonly PolicyRule[];
  readonly labels?: Readonly<Record<string, string>>;
}

const readVerbs = ["get", "list", "watch"] as const;
const allVerbs = ["create", "delete", ...readVerbs, "patch", "update"] as const;

/** The ClusterRole a controller needs for the kinds it works with. One rule per group, in a stable order. */
export const clusterRoleFor = (name: string, options: ClusterRoleOptions): ClusterRole => {
  const { manages = [], reads = [], rules = [], labels } = options;
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name, ...(labels !== undefined && { labels }) },
    rules: [
      ...byGroup(manages, ({ plural }) => [plural], allVerbs),
      ...byGroup(manages, ({ plural }) => [`${plural}/finalizers`, `${plural}/status`], ["get", "patch", "update"]),
      ...byGroup(reads, ({ plural }) => [plural], readVerbs),
      ...rules,
    ],
  };
};

const byGroup = (
  kinds: readonly Resource[],
  resourcesOf: (kind: Resource) => readonly string[],
  verbs: readonly string[],
): readonly PolicyRule[] =>
  [...new Set(kinds.map(({ group }) => group))].sort().map((group) => ({
    apiGroups: [group],
    resources: [...new Set(kinds.filter((kind) => kind.group === group).flatMap(resourcesOf))].sort(),
    verbs,
  }));

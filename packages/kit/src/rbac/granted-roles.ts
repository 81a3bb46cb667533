import type { PermissionV1 } from "@capstan/contract/v1";
import type { KubeObject } from "@capstan/schema";
import { grantedVerbs } from "./merge-permissions.ts";

const group = "rbac.authorization.k8s.io";

/** One rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** The account that a binding names. */
export interface Subject {
  readonly kind: "ServiceAccount";
  readonly name: string;
  readonly namespace: string;
}

/** Resources of a group that are granted the same verbs share a rule. */
const rulesOf = (permissions: readonly PermissionV1[]): readonly PolicyRule[] =>
  Array.from(
    Map.groupBy(permissions, (entry) => `${entry.group} ${grantedVerbs(entry).join()}`).values(),
    (same): PolicyRule => ({
      apiGroups: [same[0]?.group ?? ""],
      resources: same.map(({ resource }) => resource),
      verbs: same[0] === undefined ? [] : grantedVerbs(same[0]),
    }),
  );

/** A Role or ClusterRole. */
export const role = (
  kind: "Role" | "ClusterRole",
  metadata: KubeObject["metadata"],
  rules: readonly PolicyRule[],
): KubeObject => ({ apiVersion: `${group}/v1`, kind, metadata, rules });

/** The binding of a role to an account; it has the name of the role. */
export const bound = (of: KubeObject, subject: Subject): KubeObject => ({
  apiVersion: `${group}/v1`,
  kind: `${of.kind}Binding`,
  metadata: { name: of.metadata.name ?? "", ...(of.metadata.namespace && { namespace: of.metadata.namespace }) },
  roleRef: { apiGroup: group, kind: of.kind, name: of.metadata.name },
  subjects: [subject],
});

/**
 * Returns the roles that grant permissions to an account, each with its binding. `namespaces`: the namespaces of what is namespaced; empty for
 * all.
 */
export const granted = (
  name: string,
  permissions: readonly PermissionV1[],
  subject: Subject,
  { namespaces }: { readonly namespaces: readonly string[] },
  labels: Readonly<Record<string, string>> = {},
): readonly KubeObject[] => {
  const metadata = { name, ...(Object.keys(labels).length > 0 && { labels }) };
  const everywhere = permissions.filter(({ namespaced }) => namespaced === false || namespaces.length === 0);
  const within = permissions.filter((entry) => !everywhere.includes(entry));
  const roles = [
    ...(everywhere.length === 0 ? [] : [role("ClusterRole", metadata, rulesOf(everywhere))]),
    ...(within.length === 0
      ? []
      : namespaces.map((namespace) => role("Role", { ...metadata, namespace }, rulesOf(within)))),
  ];
  return roles.flatMap((each) => [each, bound(each, subject)]);
};

/** Returns a Role in the namespace of an account, named after it, and its binding. */
export const namedRole = (subject: Subject, suffix: string, rules: readonly PolicyRule[]): readonly KubeObject[] => {
  const each = role("Role", { name: `${subject.name}-${suffix}`, namespace: subject.namespace }, rules);
  return [each, bound(each, subject)];
};

/** Returns the Role for leader election. Leases have names in everything but their creation; `list` shows rival leaders. */
export const leaderElection = (subject: Subject, leases: readonly string[]): readonly KubeObject[] => {
  const kind = { apiGroups: ["coordination.k8s.io"], resources: ["leases"] };
  return namedRole(subject, "leader-election", [
    { ...kind, verbs: ["create", "list"] },
    { ...kind, verbs: ["get", "update"], resourceNames: leases },
  ]);
};

import { apiVersionOf, type KubeObject, type Resource, resource } from "@capstan/schema";
import type { WorkloadAccount, WorkloadPermission } from "./workload-account.ts";

const group = "rbac.authorization.k8s.io";
const rbac = { group, version: "v1" } as const;

const ClusterRole = resource({ ...rbac, kind: "ClusterRole", plural: "clusterroles", namespaced: false });
const ClusterRoleBinding = resource({
  ...rbac,
  kind: "ClusterRoleBinding",
  plural: "clusterrolebindings",
  namespaced: false,
});
const Role = resource({ ...rbac, kind: "Role", plural: "roles" });
const RoleBinding = resource({ ...rbac, kind: "RoleBinding", plural: "rolebindings" });

/** Roles before their bindings, so that a binding is effective immediately. */
export const roleKinds: readonly Resource[] = [ClusterRole, Role, ClusterRoleBinding, RoleBinding];

/** Labels that identify our roles and bindings in workload clusters. */
export const ownLabel = { name: "app.kubernetes.io/managed-by", value: "capstan" } as const;

/** The user as whom an account's requests are made; its roles and bindings have the same name. */
export const userOf = ({ name }: Pick<WorkloadAccount, "name">): string => `capstan:${name}`;

/** A role or binding as it has to be. */
export interface WantedRole {
  readonly kind: Resource;
  readonly object: KubeObject;
}

const ruleOf = ({ group: apiGroup, names, resource: plural, verbs }: WorkloadPermission): object => ({
  apiGroups: [apiGroup],
  resources: [plural],
  ...(names !== undefined && { resourceNames: names }),
  verbs,
});

const inNamespace = (
  user: string,
  namespace: string | undefined,
  permissions: readonly WorkloadPermission[],
): readonly WantedRole[] => {
  const [role, binding] = namespace === undefined ? [ClusterRole, ClusterRoleBinding] : [Role, RoleBinding];
  const metadata = {
    name: user,
    ...(namespace !== undefined && { namespace }),
    labels: { [ownLabel.name]: ownLabel.value },
  };
  const head = (kind: Resource) => ({ apiVersion: apiVersionOf(kind), kind: kind.kind, metadata });
  return [
    { kind: role, object: { ...head(role), rules: permissions.map(ruleOf) } },
    {
      kind: binding,
      object: {
        ...head(binding),
        roleRef: { apiGroup: group, kind: role.kind, name: user },
        subjects: [{ apiGroup: group, kind: "User", name: user }],
      },
    },
  ];
};

/** The roles of an account, each with its binding: one for the whole cluster, and one for every namespace that its permissions name. */
export const rolesOf = (account: WorkloadAccount): readonly WantedRole[] =>
  [...Map.groupBy(account.permissions, ({ namespace }) => namespace)].flatMap(([namespace, permissions]) =>
    inNamespace(userOf(account), namespace, permissions),
  );

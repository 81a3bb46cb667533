import type { KubeObject } from "@capstan/schema";
import { controllerRules, silentControllers } from "./controller-rules.ts";
import type { PolicyRule } from "./rbac-rules.ts";
import { account, binding, clusterBinding, clusterRole, role, rule, user } from "./role-objects.ts";

const read = ["get", "list", "watch"];
const recordEvents = rule(["create", "patch", "update"], ["", "events.k8s.io"], ["events"]);

const parsed = (text: string): PolicyRule => {
  const [verbs = "", groups = "", resources = "", names] = text.split(" ");
  return rule(
    verbs === "read" ? read : verbs.split(","),
    groups.split(",").map((group) => (group === "core" ? "" : group)),
    resources.split(","),
    names?.split(","),
  );
};

const controllers: readonly KubeObject[] = Object.entries(controllerRules).flatMap(([name, texts]) => {
  const roleName = `system:controller:${name}`;
  const rules = [...texts.map(parsed), ...(silentControllers.has(name) ? [] : [recordEvents])];
  return [clusterRole(roleName, rules), clusterBinding(roleName, roleName, account(name))];
});

/** A role in one namespace and the binding of the same name. */
const local = (namespace: string, name: string, rules: readonly PolicyRule[]): readonly KubeObject[] => [
  role(namespace, `system:controller:${name}`, rules),
  binding(namespace, `system:controller:${name}`, `system:controller:${name}`, account(name)),
];

const leaderLock = (component: string): readonly KubeObject[] => {
  const name = `system::leader-locking-${component}`;
  const leases = rule(["create", ...read, "update"], ["coordination.k8s.io"], ["leases"]);
  return [
    role("kube-system", name, [leases]),
    binding("kube-system", name, name, user(`system:${component}`), account(component)),
  ];
};

/** Roles of kube-controller-manager's controllers, and what they and the scheduler need in single namespaces. */
export const controllerRoles: readonly KubeObject[] = [
  ...controllers,
  ...local("kube-public", "bootstrap-signer", [
    rule(read, [""], ["configmaps"]),
    rule(["update"], [""], ["configmaps"], ["cluster-info"]),
    recordEvents,
  ]),
  ...local("kube-system", "bootstrap-signer", [rule(read, [""], ["secrets"])]),
  ...local("kube-system", "cloud-provider", [rule(["create", ...read], [""], ["configmaps"])]),
  ...local("kube-system", "token-cleaner", [rule(["delete", ...read], [""], ["secrets"]), recordEvents]),
  ...leaderLock("kube-controller-manager"),
  ...leaderLock("kube-scheduler"),
];

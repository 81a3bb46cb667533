import type { Answer } from "../conformance/api.ts";
import { type Place, roleRefTo, type Rule, ruleOf } from "./tenant-case.ts";

export const apiGroup = "rbac.authorization.k8s.io";
export const rbacApi = `/apis/${apiGroup}/v1`;
export const clusterRoles = `${rbacApi}/clusterroles`;
export const clusterBindings = `${rbacApi}/clusterrolebindings`;
export const roles = ({ namespace }: Place): string => `${rbacApi}/namespaces/${namespace}/roles`;
export const bindings = ({ namespace }: Place): string => `${rbacApi}/namespaces/${namespace}/rolebindings`;

export const on = (verbs: string, resources: string, resourceNames?: readonly string[]): Rule =>
  ruleOf("", verbs, resources, resourceNames);
export const onRbac = (verbs: string, resources: string, resourceNames?: readonly string[]): Rule =>
  ruleOf(apiGroup, verbs, resources, resourceNames);
export const urls = (...nonResourceURLs: readonly string[]): Rule => ({ verbs: ["get"], nonResourceURLs });

export const writesBindings = onRbac("create get update patch delete", "rolebindings");
export const writesClusterBindings = onRbac("create get update patch delete", "clusterrolebindings");
export const writesRoles = onRbac("create get update patch delete deletecollection list", "roles");
export const writesClusterRoles = onRbac("create get update patch delete", "clusterroles");
export const readsSecrets = on("get list", "secrets");

export const bindingTo = ({ name, user }: Place, kind: string, role = name, more: object = {}) => ({
  apiVersion: `${apiGroup}/v1`,
  metadata: { name },
  roleRef: roleRefTo(kind, role),
  subjects: [{ kind: "User", apiGroup, name: user }],
  ...more,
});
export const roleBinding = (place: Place, kind: string, role?: string, more?: object) => ({
  kind: "RoleBinding",
  ...bindingTo(place, kind, role, more),
});
export const roleOf = ({ name }: Place, ...rules: readonly Rule[]) => ({
  apiVersion: `${apiGroup}/v1`,
  kind: "Role",
  metadata: { name },
  rules,
});
export const labelled = { metadata: { labels: { touched: "yes" } } };
export const held = { metadata: { finalizers: ["tenants.test/hold"] } };

export const given =
  (...steps: readonly ((place: Place) => Promise<Answer>)[]) =>
  async (place: Place): Promise<readonly Answer[]> => {
    const answers: Answer[] = [];
    for (const step of steps) answers.push(await step(place));
    return answers;
  };
export const clusterRole =
  (...rules: readonly Rule[]) =>
  (place: Place) =>
    place.api.post(clusterRoles, { metadata: { name: place.name }, rules });
export const role =
  (...rules: readonly Rule[]) =>
  (place: Place) =>
    place.api.post(roles(place), { metadata: { name: place.name }, rules });
export const aggregating = (clusterRoleSelectors: readonly object[]) => (place: Place) =>
  place.api.post(clusterRoles, { metadata: { name: place.name }, aggregationRule: { clusterRoleSelectors } });
export const bound =
  (kind: string, name?: string) =>
  (place: Place): Promise<Answer> =>
    place.api.post(bindings(place), roleBinding(place, kind, name));

export const sendBinding =
  (kind: string, roleName?: string, more?: object) =>
  (place: Place): Promise<Answer> =>
    place.api.post(bindings(place), roleBinding(place, kind, roleName, more), { as: place.as });
export const sendClusterBinding = (place: Place): Promise<Answer> =>
  place.api.post(clusterBindings, bindingTo(place, "ClusterRole"), { as: place.as });
export const sendRole =
  (...rules: readonly Rule[]) =>
  (place: Place): Promise<Answer> =>
    place.api.post(roles(place), roleOf(place, ...rules), { as: place.as });
export const sendClusterRole =
  (more: object) =>
  (place: Place): Promise<Answer> =>
    place.api.post(clusterRoles, { metadata: { name: place.name }, ...more }, { as: place.as });
export const patchOf =
  (collection: (place: Place) => string, patch: object) =>
  (place: Place): Promise<Answer> =>
    place.api.mergePatch(`${collection(place)}/${place.name}`, patch, { as: place.as });

import type { Answer } from "../conformance/api.ts";
import { type Place, roleRefTo, type Rule, type TenantCase } from "./tenant-case.ts";

const apiGroup = "rbac.authorization.k8s.io";
const rbacApi = `/apis/${apiGroup}/v1`;
const clusterRoles = `${rbacApi}/clusterroles`;
const clusterBindings = `${rbacApi}/clusterrolebindings`;
const roles = ({ namespace }: Place): string => `${rbacApi}/namespaces/${namespace}/roles`;
const bindings = ({ namespace }: Place): string => `${rbacApi}/namespaces/${namespace}/rolebindings`;

const on = (verbs: string, resources: string, resourceNames?: readonly string[]): Rule => ({
  verbs: verbs.split(" "),
  apiGroups: [""],
  resources: resources.split(" "),
  ...(resourceNames === undefined ? {} : { resourceNames }),
});
const onRbac = (verbs: string, resources: string, resourceNames?: readonly string[]): Rule => ({
  ...on(verbs, resources, resourceNames),
  apiGroups: [apiGroup],
});
const urls = (...nonResourceURLs: readonly string[]): Rule => ({ verbs: ["get"], nonResourceURLs });

const writesBindings = onRbac("create get update patch delete", "rolebindings");
const writesClusterBindings = onRbac("create get update patch delete", "clusterrolebindings");
const writesRoles = onRbac("create get update patch delete deletecollection list", "roles");
const writesClusterRoles = onRbac("create get update patch delete", "clusterroles");
const readsSecrets = on("get list", "secrets");

const bindingTo = ({ name, user }: Place, kind: string, role = name, more: object = {}) => ({
  apiVersion: `${apiGroup}/v1`,
  metadata: { name },
  roleRef: roleRefTo(kind, role),
  subjects: [{ kind: "User", apiGroup, name: user }],
  ...more,
});
const roleBinding = (place: Place, kind: string, role?: string, more?: object) => ({
  kind: "RoleBinding",
  ...bindingTo(place, kind, role, more),
});
const roleOf = ({ name }: Place, ...rules: readonly Rule[]) => ({
  apiVersion: `${apiGroup}/v1`,
  kind: "Role",
  metadata: { name },
  rules,
});
const labelled = { metadata: { labels: { touched: "yes" } } };
const held = { metadata: { finalizers: ["tenants.test/hold"] } };

const given =
  (...steps: readonly ((place: Place) => Promise<Answer>)[]) =>
  async (place: Place): Promise<readonly Answer[]> => {
    const answers: Answer[] = [];
    for (const step of steps) answers.push(await step(place));
    return answers;
  };
const clusterRole =
  (...rules: readonly Rule[]) =>
  (place: Place) =>
    place.api.post(clusterRoles, { metadata: { name: place.name }, rules });
const role =
  (...rules: readonly Rule[]) =>
  (place: Place) =>
    place.api.post(roles(place), { metadata: { name: place.name }, rules });
const aggregating = (clusterRoleSelectors: readonly object[]) => (place: Place) =>
  place.api.post(clusterRoles, { metadata: { name: place.name }, aggregationRule: { clusterRoleSelectors } });
const bound =
  (kind: string, name?: string) =>
  (place: Place): Promise<Answer> =>
    place.api.post(bindings(place), roleBinding(place, kind, name));

const sendBinding =
  (kind: string, role?: string, more?: object) =>
  (place: Place): Promise<Answer> =>
    place.api.post(bindings(place), roleBinding(place, kind, role, more), { as: place.as });
const sendClusterBinding = (place: Place): Promise<Answer> =>
  place.api.post(clusterBindings, bindingTo(place, "ClusterRole"), { as: place.as });
const sendRole =
  (...rules: readonly Rule[]) =>
  (place: Place): Promise<Answer> =>
    place.api.post(roles(place), roleOf(place, ...rules), { as: place.as });
const sendClusterRole =
  (more: object) =>
  (place: Place): Promise<Answer> =>
    place.api.post(clusterRoles, { metadata: { name: place.name }, ...more }, { as: place.as });
const patchOf =
  (collection: (place: Place) => string, patch: object) =>
  (place: Place): Promise<Answer> =>
    place.api.mergePatch(`${collection(place)}/${place.name}`, patch, { as: place.as });

/** Bindings to roles that are not there. */
const missingRoles: readonly TenantCase[] = [
  { title: "a RoleBinding to a missing ClusterRole", here: [writesBindings], send: sendBinding("ClusterRole") },
  { title: "a RoleBinding to a missing Role", here: [writesBindings], send: sendBinding("Role") },
  {
    title: "a RoleBinding to a missing ClusterRole, by apply",
    here: [writesBindings],
    send: (place) =>
      place.api.apply(`${bindings(place)}/${place.name}`, "m", roleBinding(place, "ClusterRole"), { as: place.as }),
  },
  {
    title: "a RoleBinding to a missing ClusterRole, by PUT",
    here: [writesBindings],
    send: (place) =>
      place.api.put(`${bindings(place)}/${place.name}`, roleBinding(place, "ClusterRole"), { as: place.as }),
  },
  {
    title: "a RoleBinding to a missing ClusterRole, in a dry run",
    here: [writesBindings],
    send: (place) =>
      place.api.post(bindings(place), roleBinding(place, "ClusterRole"), { as: place.as, query: { dryRun: "All" } }),
  },
  {
    title: "a RoleBinding to a missing ClusterRole, with a generated name",
    here: [writesBindings],
    send: sendBinding("ClusterRole", undefined, { metadata: { generateName: "made-" } }),
  },
  {
    title: "a RoleBinding to a missing ClusterRole, for nobody",
    here: [writesBindings],
    send: sendBinding("ClusterRole", undefined, { subjects: [] }),
  },
  {
    title: "a RoleBinding to a missing ClusterRole, as one who may bind every ClusterRole",
    here: [writesBindings, onRbac("bind", "clusterroles")],
    send: sendBinding("ClusterRole"),
  },
  {
    title: "a RoleBinding to a missing ClusterRole, as one who may bind that name",
    here: [writesBindings, onRbac("bind", "clusterroles", ["coming-soon"])],
    send: sendBinding("ClusterRole", "coming-soon"),
  },
  {
    title: "a RoleBinding to a missing ClusterRole, as one who may bind another",
    here: [writesBindings, onRbac("bind", "clusterroles", ["coming-soon"])],
    send: sendBinding("ClusterRole", "coming-later"),
  },
  {
    title: "a RoleBinding to a missing ClusterRole, as one who may bind Roles",
    here: [writesBindings, onRbac("bind", "roles")],
    send: sendBinding("ClusterRole"),
  },
  {
    title: "a RoleBinding to a missing ClusterRole, as one who has every right",
    everywhere: [
      { ...on("*", "*"), apiGroups: ["*"] },
      { verbs: ["*"], nonResourceURLs: ["*"] },
    ],
    send: sendBinding("ClusterRole"),
  },
  { title: "a ClusterRoleBinding to a missing role", everywhere: [writesClusterBindings], send: sendClusterBinding },
  {
    title: "a ClusterRoleBinding to a missing role, as one who may bind in a namespace",
    here: [onRbac("bind", "clusterroles")],
    everywhere: [writesClusterBindings],
    send: sendClusterBinding,
  },
  {
    title: "a ClusterRoleBinding to a missing role, as one who may bind everywhere",
    everywhere: [writesClusterBindings, onRbac("bind", "clusterroles")],
    send: sendClusterBinding,
  },
  {
    title: "another label on a RoleBinding whose role is missing",
    here: [writesBindings],
    given: given(bound("ClusterRole")),
    send: patchOf(bindings, labelled),
  },
  {
    title: "other subjects of a RoleBinding whose role is missing",
    here: [writesBindings],
    given: given(bound("ClusterRole")),
    send: patchOf(bindings, { subjects: [] }),
  },
  {
    title: "a finalizer on a RoleBinding whose role is missing",
    here: [writesBindings],
    given: given(bound("ClusterRole")),
    send: patchOf(bindings, held),
  },
  {
    title: "a change of nothing in a RoleBinding whose role is missing",
    here: [writesBindings],
    given: given(bound("ClusterRole")),
    send: patchOf(bindings, {}),
  },
  {
    title: "the deletion of a RoleBinding whose role is missing",
    here: [writesBindings],
    given: given(bound("ClusterRole")),
    send: (place) => place.api.delete(`${bindings(place)}/${place.name}`, { as: place.as }),
  },
  {
    title: "a RoleBinding whose name is taken, to a missing role",
    here: [writesBindings],
    given: given(bound("ClusterRole", "view")),
    send: sendBinding("ClusterRole"),
  },
  {
    title: "a RoleBinding to a missing role of another group",
    here: [writesBindings],
    send: sendBinding("ClusterRole", undefined, { roleRef: { apiGroup: "x.test", kind: "ClusterRole", name: "no" } }),
  },
  {
    title: "a RoleBinding with a wrong subject, to a missing role",
    here: [writesBindings],
    send: sendBinding("ClusterRole", undefined, { subjects: [{ kind: "Pod", name: "x" }] }),
  },
];

/** Bindings to roles that are there. */
const boundRoles: readonly TenantCase[] = [
  {
    title: "a RoleBinding to a ClusterRole of rights that one has here",
    here: [writesBindings, readsSecrets],
    given: given(clusterRole(readsSecrets)),
    send: sendBinding("ClusterRole"),
  },
  {
    title: "a RoleBinding to a ClusterRole of rights that one lacks",
    here: [writesBindings],
    given: given(clusterRole(readsSecrets)),
    send: sendBinding("ClusterRole"),
  },
  {
    title: "a RoleBinding to a Role of rights that one lacks",
    here: [writesBindings],
    given: given(role(readsSecrets)),
    send: sendBinding("Role"),
  },
  {
    title: "a RoleBinding to a ClusterRole of more rights, as one who may bind it",
    here: [writesBindings, onRbac("bind", "clusterroles")],
    given: given(clusterRole(readsSecrets)),
    send: sendBinding("ClusterRole"),
  },
  {
    title: "a ClusterRoleBinding of rights that one has in a namespace",
    here: [readsSecrets],
    everywhere: [writesClusterBindings],
    given: given(clusterRole(readsSecrets)),
    send: sendClusterBinding,
  },
  {
    title: "a ClusterRoleBinding of rights that one has everywhere",
    everywhere: [writesClusterBindings, readsSecrets],
    given: given(clusterRole(readsSecrets)),
    send: sendClusterBinding,
  },
  {
    title: "a RoleBinding to a ClusterRole with paths that one may not get",
    here: [writesBindings],
    given: given(clusterRole(urls("/metrics"))),
    send: sendBinding("ClusterRole"),
  },
  {
    title: "a RoleBinding to a ClusterRole without rules",
    here: [writesBindings],
    given: given(clusterRole()),
    send: sendBinding("ClusterRole"),
  },
  {
    title: "one's own account added to a RoleBinding of more rights",
    here: [writesBindings],
    given: given(clusterRole(readsSecrets), bound("ClusterRole")),
    send: patchOf(bindings, { subjects: [{ kind: "User", apiGroup, name: "me" }] }),
  },
  {
    title: "another role of a RoleBinding, as one who may bind it",
    here: [writesBindings, onRbac("bind", "clusterroles")],
    given: given(bound("ClusterRole")),
    send: patchOf(bindings, { roleRef: roleRefTo("ClusterRole", "cluster-admin") }),
  },
  {
    title: "another role of a RoleBinding",
    here: [writesBindings],
    given: given(bound("ClusterRole", "system:node")),
    send: patchOf(bindings, { roleRef: roleRefTo("ClusterRole", "cluster-admin") }),
  },
];

const cases = (title: string, owned: Rule, wanted: Rule): TenantCase => ({
  title,
  here: [writesRoles, owned],
  send: sendRole(wanted),
});

/** Roles whose rules are compared with one's own. */
const writtenRoles: readonly TenantCase[] = [
  cases("a Role of what one has", readsSecrets, readsSecrets),
  cases("a Role of less than one has", on("get list", "secrets configmaps"), on("get", "secrets")),
  cases("a Role of more verbs", on("get", "secrets"), readsSecrets),
  cases(
    "a Role of all verbs, of which one has each",
    on("get list watch create update patch delete deletecollection", "secrets"),
    on("*", "secrets"),
  ),
  cases("a Role of one verb, of all", on("*", "secrets"), on("approve", "secrets")),
  cases("a Role for a subresource, of which one has the resource", on("get", "pods"), on("get", "pods/log")),
  cases("a Role for a subresource, of all", on("get", "*"), on("get", "pods/log")),
  cases("a Role for one subresource, of that of everything", on("get", "*/log"), on("get", "pods/log")),
  cases("a Role for one subresource, of another of everything", on("get", "*/log"), on("get", "pods/exec")),
  cases("a Role for a subresource of everything, of all", on("get", "*"), on("get", "*/log")),
  cases("a Role for every subresource of one, of one", on("get", "pods/log"), on("get", "pods/*")),
  cases("a Role for a resource, of every subresource of it", on("get", "pods/*"), on("get", "pods/log")),
  cases("a Role for everything, of a resource", on("get", "pods"), on("get", "*")),
  cases("a Role for one name, of two", on("get", "secrets", ["a", "b"]), on("get", "secrets", ["a"])),
  cases("a Role for every name, of one", on("get", "secrets", ["a"]), on("get", "secrets")),
  cases("a Role for another name, of one", on("get", "secrets", ["a"]), on("get", "secrets", ["b"])),
  cases("a Role for no names, of one", on("get", "secrets", ["a"]), on("get", "secrets", [])),
  cases("a Role for the empty name, of one", on("get", "secrets", ["a"]), on("get", "secrets", [""])),
  cases("a Role for every group, of one", on("get", "secrets"), { ...on("get", "secrets"), apiGroups: ["*"] }),
  cases("a Role for one group, of every", { ...on("get", "secrets"), apiGroups: ["*"] }, on("get", "secrets")),
  cases("a Role with a wrong rule, of nothing", on("get", "pods"), {
    verbs: [],
    apiGroups: [""],
    resources: ["secrets"],
  }),
  cases("a Role with a path", on("get", "pods"), urls("/metrics")),
  cases("a Role of `impersonate`, `bind` and `escalate`", on("get", "pods"), onRbac("impersonate bind escalate", "*")),
  {
    title: "a Role of rights from two rules",
    here: [writesRoles, on("get", "secrets"), on("list", "secrets")],
    send: sendRole(readsSecrets),
  },
  {
    title: "a Role of rights from a rule here and one everywhere",
    here: [writesRoles, on("get", "secrets")],
    everywhere: [on("list", "secrets")],
    send: sendRole(readsSecrets),
  },
  { title: "a Role without rules", here: [writesRoles], send: sendRole() },
  {
    title: "a Role of more rights, as one who may escalate",
    here: [writesRoles, onRbac("escalate", "roles")],
    send: sendRole(readsSecrets),
  },
  {
    title: "a Role of more rights, as one who may escalate that name",
    here: [writesRoles, onRbac("escalate", "roles", ["known"])],
    send: (place) =>
      place.api.post(roles(place), { ...roleOf(place, readsSecrets), metadata: { name: "known" } }, { as: place.as }),
  },
  {
    title: "a change to more rights, as one who may escalate that name",
    here: [writesRoles, onRbac("escalate", "roles", ["by-name"])],
    given: given((place) => place.api.post(roles(place), { metadata: { name: "by-name" } })),
    send: (place) => place.api.mergePatch(`${roles(place)}/by-name`, { rules: [readsSecrets] }, { as: place.as }),
  },
  {
    title: "a Role of more rights, applied by one who may escalate that name",
    here: [writesRoles, onRbac("escalate", "roles", ["applied"])],
    send: (place) =>
      place.api.apply(
        `${roles(place)}/applied`,
        "m",
        { ...roleOf(place, readsSecrets), metadata: { name: "applied" } },
        { as: place.as },
      ),
  },
  {
    title: "a Role of more rights, as one who may escalate ClusterRoles",
    here: [writesRoles, onRbac("escalate", "clusterroles")],
    send: sendRole(readsSecrets),
  },
  {
    title: "a label on a Role of more rights",
    here: [writesRoles],
    given: given(role(readsSecrets)),
    send: patchOf(roles, labelled),
  },
  {
    title: "a finalizer on a Role of more rights",
    here: [writesRoles],
    given: given(role(readsSecrets)),
    send: patchOf(roles, held),
  },
  {
    title: "fewer rights in a Role, but more than one has",
    here: [writesRoles],
    given: given(role(readsSecrets)),
    send: patchOf(roles, { rules: [on("get", "secrets")] }),
  },
  {
    title: "no rights in a Role of more rights",
    here: [writesRoles],
    given: given(role(readsSecrets)),
    send: patchOf(roles, { rules: [] }),
  },
  {
    title: "the deletion of a Role of more rights",
    here: [writesRoles],
    given: given(role(readsSecrets)),
    send: (place) => place.api.delete(`${roles(place)}/${place.name}`, { as: place.as }),
  },
  {
    title: "a Role whose name is taken, of more rights",
    here: [writesRoles],
    given: given(role()),
    send: sendRole(readsSecrets),
  },
];

const everything: readonly Rule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { verbs: ["*"], nonResourceURLs: ["*"] },
];
const selector = { matchLabels: { a: "b" } };

/** ClusterRoles, and those that gather the rules of others. */
const clusterWide: readonly TenantCase[] = [
  {
    title: "a ClusterRole of rights that one has in a namespace",
    here: [readsSecrets],
    everywhere: [writesClusterRoles],
    send: sendClusterRole({ rules: [readsSecrets] }),
  },
  {
    title: "a ClusterRole of rights that one has everywhere",
    everywhere: [writesClusterRoles, readsSecrets],
    send: sendClusterRole({ rules: [readsSecrets] }),
  },
  {
    title: "a ClusterRole of a path below one's own",
    everywhere: [writesClusterRoles, urls("/a/*")],
    send: sendClusterRole({ rules: [urls("/a/b")] }),
  },
  {
    title: "a ClusterRole of more paths than one's own",
    everywhere: [writesClusterRoles, urls("/a/*")],
    send: sendClusterRole({ rules: [urls("/a*")] }),
  },
  {
    title: "a ClusterRole of all paths, of one",
    everywhere: [writesClusterRoles, urls("/a")],
    send: sendClusterRole({ rules: [urls("*")] }),
  },
  {
    title: "a ClusterRole that others will gather",
    everywhere: [writesClusterRoles, readsSecrets],
    send: sendClusterRole({
      metadata: { name: "gathered", labels: { "tenants.test/gathered": "true" } },
      rules: [readsSecrets],
    }),
  },
  {
    title: "a ClusterRole that gathers others",
    everywhere: [writesClusterRoles],
    send: sendClusterRole({ aggregationRule: { clusterRoleSelectors: [selector] } }),
  },
  {
    title: "a ClusterRole that gathers others, as one who may escalate",
    everywhere: [writesClusterRoles, onRbac("escalate", "clusterroles")],
    send: sendClusterRole({ aggregationRule: { clusterRoleSelectors: [selector] } }),
  },
  {
    title: "a ClusterRole that gathers others, as one who has all resources",
    everywhere: [everything[0] as Rule],
    send: sendClusterRole({ aggregationRule: { clusterRoleSelectors: [selector] } }),
  },
  {
    title: "a ClusterRole that gathers others, as one who has all but escalate",
    everywhere: [
      { verbs: ["create", "get", "list", "watch", "update", "patch", "delete"], apiGroups: ["*"], resources: ["*"] },
      { verbs: ["*"], nonResourceURLs: ["*"] },
    ],
    send: sendClusterRole({ aggregationRule: { clusterRoleSelectors: [selector] } }),
  },
  {
    title: "a ClusterRole that gathers others, as one who has everything",
    everywhere: everything,
    send: sendClusterRole({ aggregationRule: { clusterRoleSelectors: [selector] } }),
  },
  {
    title: "a ClusterRole that gathers none",
    everywhere: [writesClusterRoles],
    send: sendClusterRole({ aggregationRule: { clusterRoleSelectors: [] } }),
  },
  {
    title: "an empty aggregation rule",
    everywhere: [writesClusterRoles],
    send: sendClusterRole({ aggregationRule: {} }),
  },
  {
    title: "a ClusterRole that gathers all",
    everywhere: [writesClusterRoles],
    send: sendClusterRole({ aggregationRule: { clusterRoleSelectors: [{}] } }),
  },
  {
    title: "a ClusterRole that gathers others no longer",
    everywhere: [writesClusterRoles],
    given: given(aggregating([selector])),
    send: patchOf(() => clusterRoles, { aggregationRule: null }),
  },
  {
    title: "a finalizer on a ClusterRole that gathers others",
    everywhere: [writesClusterRoles],
    given: given(aggregating([selector])),
    send: patchOf(() => clusterRoles, held),
  },
  {
    title: "a label on a ClusterRole that gathers others",
    everywhere: [writesClusterRoles],
    given: given(aggregating([selector])),
    send: patchOf(() => clusterRoles, labelled),
  },
  {
    title: "a ClusterRole of more rights, as one who may escalate in a namespace",
    here: [onRbac("escalate", "clusterroles")],
    everywhere: [writesClusterRoles],
    send: sendClusterRole({ rules: [readsSecrets] }),
  },
  {
    title: "more rights of a ClusterRole that everybody has",
    everywhere: [writesClusterRoles],
    send: (place) =>
      place.api.mergePatch(`${clusterRoles}/system:basic-user`, { rules: [readsSecrets] }, { as: place.as }),
  },
];

export const roleCases: readonly TenantCase[] = [...missingRoles, ...boundRoles, ...writtenRoles, ...clusterWide];

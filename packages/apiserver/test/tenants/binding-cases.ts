import {
  apiGroup,
  bindings,
  on,
  onRbac,
  urls,
  writesBindings,
  writesClusterBindings,
  readsSecrets,
  roleBinding,
  labelled,
  held,
  given,
  clusterRole,
  role,
  bound,
  sendBinding,
  sendClusterBinding,
  patchOf,
} from "./role-steps.ts";
import { roleRefTo, type TenantCase } from "./tenant-case.ts";

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

export const bindingCases: readonly TenantCase[] = [...missingRoles, ...boundRoles];

import {
  clusterRoles,
  roles,
  on,
  onRbac,
  urls,
  writesRoles,
  writesClusterRoles,
  readsSecrets,
  roleOf,
  labelled,
  held,
  given,
  role,
  aggregating,
  sendRole,
  sendClusterRole,
  patchOf,
} from "./role-steps.ts";
import { type Rule, type TenantCase } from "./tenant-case.ts";

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

export const roleCases: readonly TenantCase[] = [...writtenRoles, ...clusterWide];

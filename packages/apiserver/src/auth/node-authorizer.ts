import { partOf, specOf, textOf } from "../values/object-parts.ts";
import type { RequestInfo, ResourceStore, User } from "../model/types.ts";
import { podsOn, type ReferencedKind, refersTo } from "./node-references.ts";
import { type PolicyRule, ruleAllows } from "./rbac-rules.ts";

const userPrefix = "system:node:";
const nodesGroup = "system:nodes";
const leaseNamespace = "kube-node-lease";

/** The node whose kubelet the user is. */
export const nodeOf = ({ name, groups }: User): string | undefined =>
  groups.includes(nodesGroup) && name.startsWith(userPrefix) && name.length > userPrefix.length
    ? name.slice(userPrefix.length)
    : undefined;

const rule = (apiGroups: readonly string[], resources: readonly string[], ...verbs: readonly string[]): PolicyRule => ({
  apiGroups,
  resources,
  verbs,
});
const read = ["get", "list", "watch"] as const;

/** Rules for every kubelet, regardless of its node. Creations and changes are narrowed further at admission. */
const general: readonly PolicyRule[] = [
  rule(["authentication.k8s.io"], ["tokenreviews"], "create"),
  rule(["authorization.k8s.io"], ["localsubjectaccessreviews", "subjectaccessreviews"], "create"),
  rule([""], ["services"], ...read),
  rule([""], ["nodes"], "create", "patch", "update"),
  rule([""], ["nodes/status", "pods/status"], "patch", "update"),
  rule([""], ["pods"], "create", "delete"),
  rule([""], ["pods/eviction"], "create"),
  rule(["", "events.k8s.io"], ["events"], "create", "patch", "update"),
  rule([""], ["endpoints"], "get"),
  rule(["certificates.k8s.io"], ["certificatesigningrequests"], "create", ...read),
  rule(["storage.k8s.io"], ["csidrivers"], ...read),
  rule(["node.k8s.io"], ["runtimeclasses"], ...read),
];

/** Decides about one resource; `node` asks. */
type Decision = (node: string, info: RequestInfo, store: ResourceStore) => boolean;

const isRead = ({ verb }: RequestInfo): boolean => (read as readonly string[]).includes(verb);

const ofItsPods =
  (kind: ReferencedKind, verbs: readonly string[] = read): Decision =>
  (node, { verb, namespace, name }, store) =>
    verbs.includes(verb) && name !== "" && podsOn(store, node, namespace).some((pod) => refersTo(pod, kind, name));

const selectsNode = (node: string, { fieldSelector = "" }: RequestInfo): boolean =>
  fieldSelector.split(",").some((term) => term === `spec.nodeName=${node}` || term === `spec.nodeName==${node}`);

const itsPods: Decision = (node, info, store) => {
  if (info.verb === "list" || info.verb === "watch") {
    return selectsNode(node, info) || (info.name !== "" && isItsPod(node, info, store));
  }
  return info.verb === "get" && isItsPod(node, info, store);
};

const isItsPod: Decision = (node, { namespace, name }, store) => {
  const pod = store.peek({ group: "", plural: "pods" }, { namespace, name });
  return pod !== undefined && specOf(pod)["nodeName"] === node;
};

const itsVolume: Decision = (node, { verb, name }, store) => {
  const volume = verb === "get" ? store.peek({ group: "", plural: "persistentvolumes" }, { name }) : undefined;
  const claim = partOf(volume === undefined ? undefined : specOf(volume)["claimRef"]);
  const { namespace, name: claimName } = claim;
  return podsOn(store, node, textOf(namespace)).some((pod) =>
    refersTo(pod, "persistentvolumeclaims", textOf(claimName)),
  );
};

const ofItsName =
  (verbs: readonly string[], namespace = ""): Decision =>
  (node, info) =>
    verbs.includes(info.verb) &&
    info.namespace === namespace &&
    (info.name === node || (info.verb === "create" && info.name === ""));

const objectVerbs = ["create", "delete", "get", "patch", "update"];

/** Resources of which a kubelet only gets what concerns its node; by `group/resource`. */
const decisions: Readonly<Record<string, Decision>> = {
  "/configmaps": ofItsPods("configmaps"),
  "/secrets": ofItsPods("secrets"),
  "/persistentvolumeclaims": ofItsPods("persistentvolumeclaims", ["get"]),
  "/persistentvolumeclaims/status": ofItsPods("persistentvolumeclaims", ["get", "patch", "update"]),
  "/persistentvolumes": itsVolume,
  "/serviceaccounts": ofItsPods("serviceaccounts", ["get"]),
  "/serviceaccounts/token": ofItsPods("serviceaccounts", ["create"]),
  "/nodes": (node, info) => isRead(info) && info.name === node,
  "/pods": itsPods,
  "coordination.k8s.io/leases": ofItsName(objectVerbs, leaseNamespace),
  "storage.k8s.io/csinodes": ofItsName(objectVerbs),
  "storage.k8s.io/volumeattachments": (node, { verb, name }, store) => {
    const ref = { group: "storage.k8s.io", plural: "volumeattachments" };
    const attachment = verb === "get" ? store.peek(ref, { name }) : undefined;
    return attachment !== undefined && specOf(attachment)["nodeName"] === node;
  },
};

/** Returns whether a request is one that a kubelet makes for its own node. False for everybody else. */
export const isForOwnNode = (user: User, info: RequestInfo, store: ResourceStore): boolean => {
  const node = nodeOf(user);
  if (node === undefined || !info.isResource) {
    return false;
  }
  const resource = info.subresource === "" ? info.resource : `${info.resource}/${info.subresource}`;
  return (
    general.some((allowed) => ruleAllows(allowed, info)) ||
    decisions[`${info.group}/${resource}`]?.(node, info, store) === true
  );
};

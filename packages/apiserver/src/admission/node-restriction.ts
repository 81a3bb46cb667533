import { type KubeObject, sameJson } from "@capstan/schema";
import { isMirrorPod } from "../builtin/kinds/mirror-pod.ts";
import { nodeOf } from "../auth/node-authorizer.ts";
import { listOf, partOf, specOf, textOf } from "../values/object-parts.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../registry/extension.ts";
import { forbidden } from "../model/status-error.ts";
import type { ResourceStore } from "../model/types.ts";

const pods = { group: "", plural: "pods" };
const leaseNamespace = "kube-node-lease";

/** Why a kubelet may not do this; `undefined` when it may. */
type Check = (node: string, request: AdmissionRequest, store: ResourceStore) => string | undefined;

const runsOn = (node: string, pod: KubeObject | undefined): boolean =>
  pod !== undefined && specOf(pod)["nodeName"] === node;

const labelsOf = (object: KubeObject | undefined): Readonly<Record<string, string>> => object?.metadata.labels ?? {};

const newPod: Check = (node, { object, name }) => {
  const pod = object as KubeObject;
  if (!isMirrorPod(pod)) {
    return `pod does not have "kubernetes.io/config.mirror" annotation, node "${node}" can only create mirror pods`;
  }
  if (!runsOn(node, pod)) {
    return `node "${node}" can only create pods with spec.nodeName set to itself`;
  }
  const owners = pod.metadata.ownerReferences ?? [];
  const isOwn = owners.length === 1 && owners[0]?.kind === "Node" && owners[0].name === node;
  if (!isOwn) {
    return `pod must have an owner reference set to node "${node}"`;
  }
  return textOf(specOf(pod)["serviceAccountName"]) === ""
    ? undefined
    : `node "${node}" can not create pods that reference a service account (${name})`;
};

const podChange: Check = (node, request, store) => {
  const { operation, subresource, namespace, name, oldObject, object } = request;
  switch (`${operation} ${subresource}`) {
    case "CREATE ":
      return newPod(node, request, store);
    case "DELETE ":
      return runsOn(node, oldObject)
        ? undefined
        : `node "${node}" can only delete pods with spec.nodeName set to itself`;
    case "UPDATE status":
      if (!runsOn(node, oldObject)) {
        return `node "${node}" can only update pod status for pods with spec.nodeName set to itself`;
      }
      return sameJson(labelsOf(object), labelsOf(oldObject))
        ? undefined
        : `node "${node}" cannot update labels through pod status`;
    case "CREATE eviction":
      return runsOn(node, store.peek(pods, { namespace, name }))
        ? undefined
        : `node "${node}" can only evict pods with spec.nodeName set to itself`;
    default:
      return `unexpected operation ${operation}, node "${node}" can only create and delete mirror pods`;
  }
};

const ownLabels: ReadonlySet<string> = new Set([
  "kubernetes.io/hostname",
  "kubernetes.io/arch",
  "kubernetes.io/os",
  "beta.kubernetes.io/arch",
  "beta.kubernetes.io/os",
  "beta.kubernetes.io/instance-type",
  "node.kubernetes.io/instance-type",
  "failure-domain.beta.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "failure-domain.kubernetes.io/region",
  "failure-domain.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "topology.kubernetes.io/zone",
]);
const ownPrefixes = ["kubelet.kubernetes.io", "node.kubernetes.io"];

const isWithin = (prefix: string, domain: string): boolean => prefix === domain || prefix.endsWith(`.${domain}`);

/** Labels of Kubernetes that only its administrators give to nodes. */
const isRestricted = (label: string): boolean => {
  const [prefix = "", name] = label.split("/");
  if (name === undefined || ownLabels.has(label)) {
    return false;
  }
  const isKubernetes = isWithin(prefix, "kubernetes.io") || isWithin(prefix, "k8s.io");
  return isKubernetes && !ownPrefixes.some((own) => isWithin(prefix, own));
};

const changedLabels = ({ object, oldObject }: AdmissionRequest): readonly string[] => {
  const [after, before] = [labelsOf(object), labelsOf(oldObject)];
  return [...new Set([...Object.keys(after), ...Object.keys(before)])].filter(
    (label) => after[label] !== before[label],
  );
};

const taintsOf = (of: KubeObject | undefined): readonly unknown[] => listOf(partOf(of?.["spec"])["taints"]);

const nodeChange: Check = (node, request) => {
  const { operation, name, object, oldObject } = request;
  const subject = name === "" ? (object?.metadata.name ?? "") : name;
  if (subject !== node) {
    return `node "${node}" is not allowed to modify node "${subject}"`;
  }
  const labels = changedLabels(request).filter(isRestricted);
  if (labels.length > 0) {
    return `is not allowed to modify labels: ${labels.sort().join(", ")}`;
  }
  if (operation !== "UPDATE") {
    return undefined;
  }
  if (!sameJson(taintsOf(object), taintsOf(oldObject))) {
    return `node "${node}" is not allowed to modify taints`;
  }
  return sameJson(object?.metadata.ownerReferences ?? [], oldObject?.metadata.ownerReferences ?? [])
    ? undefined
    : `node "${node}" is not allowed to modify ownerReferences`;
};

const tokenRequest: Check = (node, { subresource, operation, namespace, name, object }, store) => {
  if (operation !== "CREATE" || subresource !== "token") {
    return undefined;
  }
  const bound = partOf(specOf(object as KubeObject)["boundObjectRef"]);
  if (bound["kind"] !== "Pod" || textOf(bound["name"]) === "" || textOf(bound["uid"]) === "") {
    return `node requested token not bound to a pod`;
  }
  const pod = store.peek(pods, { namespace, name: textOf(bound["name"]) });
  if (pod === undefined || pod.metadata.uid !== bound["uid"] || !runsOn(node, pod)) {
    return `node requested token bound to a pod scheduled on a different node`;
  }
  return specOf(pod)["serviceAccountName"] === name
    ? undefined
    : `node requested token for a service account that the pod does not run as`;
};

const lease: Check = (node, { namespace, name, object }) => {
  if (namespace !== leaseNamespace) {
    return `can only access leases in the "${leaseNamespace}" system namespace`;
  }
  const subject = name === "" ? object?.metadata.name : name;
  return subject === node ? undefined : "can only access node lease with the same name as the requesting node";
};

const csiNode: Check = (node, { name, object }) =>
  (name === "" ? object?.metadata.name : name) === node
    ? undefined
    : "can only access CSINode with the same name as the requesting node";

const checks: Readonly<Record<string, Check>> = {
  "/pods": podChange,
  "/nodes": nodeChange,
  "/serviceaccounts": tokenRequest,
  "coordination.k8s.io/leases": lease,
  "storage.k8s.io/csinodes": csiNode,
};

/** A kubelet changes nothing but its own Node, its lease, and what belongs to the Pods on its node. */
export const nodeRestriction = (store: ResourceStore): AdmissionPlugin => ({
  name: "NodeRestriction",
  validate: async (request) => {
    const node = nodeOf(request.user);
    const { group, plural } = request.definition;
    const why = node === undefined ? undefined : checks[`${group}/${plural}`]?.(node, request, store);
    if (why !== undefined) {
      throw forbidden(request.definition, request.name, why);
    }
  },
});

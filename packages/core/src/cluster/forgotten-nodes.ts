import { Annotation, isCapstanError } from "@capstan/contract";
import { isBeingDeleted, keyOf } from "@capstan/kube-values";
import type { Result } from "@capstan/runtime";
import { EventReason } from "../api/event-reasons.ts";
import { type Cluster, Machine } from "../api.ts";
import { type Node, Nodes } from "../machine/workload-kinds.ts";
import type { ClusterScope } from "./scope.ts";

/** How long the kubelet of such a Node has to be silent, in milliseconds: whoever still runs there is not disturbed. */
const silentMs = 300_000;
const retryMs = 30_000;

/** The Machine whose Node it was, as core has noted on it; `undefined` for a Node of another Cluster, or of none. */
const machineOfNode = ({ metadata }: Node, cluster: Cluster): string | undefined => {
  const { annotations = {} } = metadata;
  const isOwn =
    annotations[Annotation.nodeClusterName] === cluster.metadata.name &&
    annotations[Annotation.nodeClusterNamespace] === cluster.metadata.namespace;
  const machine = annotations[Annotation.nodeMachine] ?? "";
  return isOwn && machine !== "" ? machine : undefined;
};

/** Since when the kubelet of a Node is not known to work, in milliseconds since the epoch; `undefined` while it does. */
const silentSince = ({ metadata, status }: Node): number | undefined => {
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  if (ready?.status === "True") return undefined;
  return Date.parse(ready?.lastTransitionTime ?? metadata.creationTimestamp ?? "") || 0;
};

/** The Nodes of Machines that are not there any more, as far as the cache shows. */
export const forgottenNodes = (
  nodes: readonly Node[],
  cluster: Cluster,
  machines: readonly Machine[],
): readonly Node[] => {
  const names = new Set(machines.map(({ metadata }) => metadata.name));
  const taken = new Set(machines.map(({ status }) => status?.nodeRef?.name));
  const providerIDs = new Set(machines.map(({ spec }) => spec.providerID));
  return nodes.filter((node) => {
    const machine = machineOfNode(node, cluster);
    if (machine === undefined || names.has(machine) || taken.has(node.metadata.name)) return false;
    return node.spec?.providerID === undefined || !providerIDs.has(node.spec.providerID);
  });
};

/**
 * Deletes Nodes whose Machines were taken away with their finalizers: nobody else would. Their servers go with the infrastructure machines;
 * a Node whose kubelet still works is left.
 */
export const removeForgottenNodes = async (scope: ClusterScope): Promise<Result> => {
  const { cluster, context, descendants, workload } = scope;
  const connection = workload.connection(keyOf(cluster));
  if (isBeingDeleted(cluster) || connection === undefined) return {};
  let next: number | undefined;
  for (const node of forgottenNodes(connection.nodes.list(), cluster, descendants.machines)) {
    const since = silentSince(node);
    if (since === undefined) continue;
    const due = since + silentMs - context.clock.now();
    if (due <= 0 && (await removeNode(scope, node))) continue;
    const waitMs = due <= 0 ? retryMs : due;
    next = Math.min(next ?? waitMs, waitMs);
  }
  return next === undefined ? {} : { requeueAfterMs: next };
};

/** True when it is gone, or its Machine is there after all. */
const removeNode = async ({ cluster, context, workload }: ClusterScope, node: Node): Promise<boolean> => {
  const { client, events, log } = context;
  const { name = "" } = node.metadata;
  const machine = machineOfNode(node, cluster) ?? "";
  const call = { signal: context.signal };
  try {
    // The cache may have only some of the Machines, or be behind.
    const key = { namespace: cluster.metadata.namespace ?? "", name: machine };
    if ((await client.find(Machine, key, call)) !== undefined) return true;
    await workload.get(keyOf(cluster)).client.delete(Nodes, { name }, call);
  } catch (error) {
    if (!isCapstanError(error)) throw error;
    log.warn("a Node of no Machine could not be deleted", { node: name, error });
    return false;
  }
  const message = `Deleted Node ${name}: its Machine ${machine} no longer exists, and its kubelet does not answer`;
  events.event(cluster, { type: "Normal", reason: EventReason.nodeForgotten, message });
  return true;
};

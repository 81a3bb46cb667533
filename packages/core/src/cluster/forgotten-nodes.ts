import { Annotation, isCapstanError } from "@capstan/contract";
import { isBeingDeleted, keyOf } from "@capstan/kube-values";
import type { Result } from "@capstan/runtime";
import { EventReason } from "../api/event-reasons.ts";
import { type Cluster, Machine } from "../api.ts";
import { ownNodes } from "../machine/own-nodes.ts";
import { type Node, Nodes } from "../object/workload-kinds.ts";
import { addressesOf, type DepartedMachine } from "./departed-machines.ts";
import type { ClusterScope } from "./scope.ts";

/** Time for which the kubelet of such a Node must be silent, in milliseconds: a live kubelet is not disturbed. */
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

/** A Node, and the name of the Machine that had it. */
export interface ForgottenNode {
  readonly node: Node;
  readonly machine: string;
}

/**
 * The Nodes of Machines that no longer exist, as far as the cache shows: by what core noted on them, or, where their server joined
 * when its Machine was gone, by what that reported. `departed`: Machines that went not long ago.
 */
export const forgottenNodes = (
  nodes: readonly Node[],
  cluster: Cluster,
  machines: readonly Machine[],
  departed: readonly DepartedMachine[] = [],
): readonly ForgottenNode[] => {
  const names = new Set(machines.map(({ metadata }) => metadata.name));
  const others = new Set(machines.flatMap(({ status }) => status?.nodeRef?.name ?? []));
  const providerIDs = new Set(machines.map(({ spec }) => spec.providerID));
  const reused = new Set(machines.flatMap(({ status }) => addressesOf(status)));
  const left = departed.map(({ addresses, name, providerID }) => ({
    name,
    facts: { providerID, addresses: addresses.filter((address) => !reused.has(address)), others },
  }));
  const ownerOf = (node: Node): string | undefined => {
    if (node.metadata.annotations?.[Annotation.nodeMachine] !== undefined) return machineOfNode(node, cluster);
    return left.find(({ facts }) => ownNodes([node], facts).length > 0)?.name;
  };
  return nodes.flatMap((node) => {
    const machine = ownerOf(node);
    if (machine === undefined || names.has(machine) || others.has(node.metadata.name ?? "")) return [];
    const { providerID = "" } = node.spec ?? {};
    return providerID === "" || !providerIDs.has(providerID) ? [{ node, machine }] : [];
  });
};

/**
 * Deletes Nodes whose Machines were removed with their finalizers, or that joined when no one waited for them any more: no one else would.
 * Their servers go with the infrastructure machines; a Node whose kubelet still works is left.
 */
export const removeForgottenNodes = async (scope: ClusterScope): Promise<Result> => {
  const { cluster, context, departed, descendants, workload } = scope;
  const { machines } = descendants;
  if (isBeingDeleted(cluster)) {
    departed.forget(cluster);
    return {};
  }
  const now = context.clock.now();
  const gone = departed.after(cluster, machines, now);
  const connection = workload.connection(keyOf(cluster));
  if (connection === undefined) return {};
  let next: number | undefined;
  for (const forgotten of forgottenNodes(connection.nodes.list(), cluster, machines, gone)) {
    const since = silentSince(forgotten.node);
    if (since === undefined) continue;
    const due = since + silentMs - now;
    if (due <= 0 && (await removeNode(scope, forgotten))) continue;
    const waitMs = due <= 0 ? retryMs : due;
    next = Math.min(next ?? waitMs, waitMs);
  }
  return next === undefined ? {} : { requeueAfterMs: next };
};

/** True when it is gone, or its Machine is there after all. */
const removeNode = async (
  { cluster, context, workload }: ClusterScope,
  { machine, node }: ForgottenNode,
): Promise<boolean> => {
  const { client, events, log } = context;
  const { name = "" } = node.metadata;
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

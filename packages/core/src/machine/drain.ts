import { isCapstanError } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import type { ReconcileContext } from "@capstan/runtime";
import { drainText } from "@capstan/kit/machines";
import type { Cluster, Machine } from "../api.ts";
import { MachineDrainRule } from "../api.ts";
import type { PodDecision, Remaining } from "./drain-plan.ts";
import { currentOrder, daemonSetOf, decidePod, podName } from "./drain-plan.ts";
import { needsNamespaces, rulesForMachine } from "./drain-rules.ts";
import type { Node, Pod } from "../object/workload-kinds.ts";
import { DaemonSets, isPodReady, isUnreachable, Namespaces, Nodes, Pods } from "../object/workload-kinds.ts";

type Labels = Readonly<Record<string, string>>;

/** Time for evictions in one reconcile; what is not sent by then goes next round. */
const evictionBudgetMs = 10_000;

const podPageSize = 100;

/** Makes the scheduler leave the Node alone. Nothing is sent when it already does. */
const cordon = async (client: Client, node: Node): Promise<void> => {
  if (node.spec?.unschedulable === true) return;
  await client.patch(
    Nodes,
    { name: node.metadata.name ?? "" },
    {
      type: "merge",
      body: { spec: { unschedulable: true } },
    },
  );
};

/** Every Pod of a Node, read live: a stale list would evict Pods that came after the drain. */
const podsOnNode = async (client: Client, nodeName: string): Promise<readonly Pod[]> =>
  (await client.list(Pods, { fieldSelector: `spec.nodeName=${nodeName}`, limit: podPageSize })).items;

const existingDaemonSets = async (client: Client, pods: readonly Pod[]): Promise<ReadonlySet<string>> => {
  const keys = new Set(pods.map(daemonSetOf).filter((key) => key !== undefined));
  const existing = new Set<string>();
  for (const key of keys) {
    const [namespace = "", name = ""] = key.split("/");
    if ((await client.find(DaemonSets, { namespace, name })) !== undefined) existing.add(key);
  }
  return existing;
};

export interface DecidedPod {
  readonly pod: Pod;
  readonly decision: PodDecision;
}

/** The Node to drain, and whose it is. */
export interface DrainTarget {
  readonly context: ReconcileContext;
  /** Client of the workload cluster. */
  readonly client: Client;
  readonly machine: Machine;
  readonly cluster: Cluster;
  readonly node: Node;
}

const labelsOfNamespaces = async (client: Client, pods: readonly Pod[]): Promise<ReadonlyMap<string, Labels>> => {
  const names = new Set(pods.map(({ metadata }) => metadata.namespace ?? ""));
  const labels = new Map<string, Labels>();
  for (const name of names) labels.set(name, (await client.get(Namespaces, { name })).metadata.labels ?? {});
  return labels;
};

/** Decides what a drain does with each Pod that is now on the Node. */
export const decidePods = async ({
  context,
  client,
  machine,
  cluster,
  node,
}: DrainTarget): Promise<readonly DecidedPod[]> => {
  const { namespace } = machine.metadata;
  const all = context.cache.list(MachineDrainRule, namespace === undefined ? {} : { namespace });
  const rules = rulesForMachine(all, machine, cluster);
  const pods = await podsOnNode(client, node.metadata.name ?? "");
  const input = {
    rules,
    nodeUnreachable: isUnreachable(node),
    now: context.clock.now(),
    daemonSets: await existingDaemonSets(client, pods),
    namespaceLabels: needsNamespaces(rules) ? await labelsOfNamespaces(client, pods) : new Map<string, Labels>(),
  };
  return pods.map((pod) => ({ pod, decision: decidePod(pod, input) }));
};

interface Cause {
  readonly reason?: string;
  readonly message?: string;
}

const causesOf = (error: unknown): readonly Cause[] =>
  isCapstanError(error) && Array.isArray(error.details["causes"]) ? (error.details["causes"] as readonly Cause[]) : [];

const isRefusedBecause = (error: unknown, code: string, reason: string): boolean =>
  isCapstanError(error, code) && causesOf(error).some((cause) => cause.reason === reason);

/** A server that is only busy answers with the same status, but without this cause. */
const isRefusedByBudget = (error: unknown): boolean =>
  isRefusedBecause(error, "kube.too_many_requests", "DisruptionBudget");

const budgetCause = (error: unknown): string =>
  causesOf(error)
    .flatMap(({ message = "" }) => (message === "" ? [] : [message]))
    .join(" ");

/**
 * Returns the message for a Pod that the API server refused to evict for a reason other than a budget. Like a budget,
 * it does not hold up the other Pods on the Node.
 */
const notEvicted = (error: unknown): string => {
  if (isCapstanError(error)) return `${drainText.evictionFailed}, ${error.message}`;
  throw error;
};

/** Seconds that the kubelet of an unreachable Node is given; it will not use them. */
const unreachableGraceSeconds = 1;

/**
 * Deletes a Pod that its budget would not let go, where the budget has nothing to protect any more: the Pod is not ready
 * because no one has heard of its Node, so it counts for no budget. Its object stays until the Node is gone, so no Pod of the
 * same name starts while it may still run.
 */
const deleteLost = async (client: Client, { metadata }: Pod): Promise<string> => {
  const { namespace = "", name = "", uid } = metadata;
  const options = {
    gracePeriodSeconds: unreachableGraceSeconds,
    ...(uid === undefined ? {} : { preconditions: { uid } }),
  };
  try {
    await client.delete(Pods, { namespace, name }, options);
    return drainText.terminating;
  } catch (error) {
    return notEvicted(error);
  }
};

/** Asks for one eviction. `undefined`: the Pod is gone already. */
const evict = async (client: Client, pod: Pod, isNodeLost: boolean): Promise<string | undefined> => {
  const { namespace = "", name = "" } = pod.metadata;
  const deleteOptions = isNodeLost ? { gracePeriodSeconds: unreachableGraceSeconds } : {};
  try {
    await client.request({
      method: "POST",
      path: `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}/eviction`,
      headers: { "content-type": "application/json" },
      body: { apiVersion: "policy/v1", kind: "Eviction", metadata: { name, namespace }, deleteOptions },
    });
    return drainText.terminating;
  } catch (error) {
    if (isCapstanError(error, "kube.not_found")) return undefined;
    if (isRefusedByBudget(error) && isNodeLost && !isPodReady(pod)) return deleteLost(client, pod);
    if (isRefusedByBudget(error)) return `${drainText.disruptionBudget} ${budgetCause(error)}`.trimEnd();
    if (isRefusedBecause(error, "kube.forbidden", "NamespaceTerminating")) {
      return "cannot be evicted while its Namespace is being deleted";
    }
    return notEvicted(error);
  }
};

const why = async (
  { context, client, node }: DrainTarget,
  { pod, decision }: DecidedPod,
  until: number,
): Promise<string | undefined> => {
  switch (decision.action) {
    case "await-deletion":
      return drainText.terminating;
    case "await-completion":
      return drainText.completion;
    case "evict":
      if (context.clock.now() >= until) return "waiting to be evicted";
      if (decision.warning !== undefined) context.log.warn(decision.warning, { pod: podName(pod) });
      return evict(client, pod, isUnreachable(node));
    default:
      return undefined;
  }
};

/** A Pod whose turn comes later is only told of; one that is being deleted anyway is not held back by that. */
const laterThan = (current: number, { pod, decision }: DecidedPod): Remaining | undefined =>
  "order" in decision && decision.order > current && decision.action !== "await-deletion"
    ? { pod: podName(pod), why: "", later: decision.action }
    : undefined;

/**
 * One round of draining: cordons the Node, evicts what may go now, and returns the Pods that are still to be waited for.
 * The Node is drained when there are none.
 */
export const drainNode = async (target: DrainTarget): Promise<readonly Remaining[]> => {
  await cordon(target.client, target.node);
  const decided = await decidePods(target);
  const current = currentOrder(decided.map(({ decision }) => decision));
  const until = target.context.clock.now() + evictionBudgetMs;
  const remaining: Remaining[] = [];
  for (const entry of decided) {
    const later = laterThan(current, entry);
    const reason = later === undefined ? await why(target, entry, until) : undefined;
    if (later !== undefined) remaining.push(later);
    else if (reason !== undefined) remaining.push({ pod: podName(entry.pod), why: reason });
  }
  return remaining;
};

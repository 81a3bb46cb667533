import { isCapstanError } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import type { ReconcileContext } from "@capstan/runtime";
import type { PodDecision, Remaining } from "./drain-plan.ts";
import { daemonSetOf, decidePod, drainText, podName } from "./drain-plan.ts";
import type { Node, Pod } from "./workload-kinds.ts";
import { DaemonSets, isUnreachable, Nodes, Pods } from "./workload-kinds.ts";

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
export const podsOnNode = async (client: Client, nodeName: string): Promise<readonly Pod[]> =>
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

/** What a drain does with each Pod. */
export const decidePods = async (
  client: Client,
  node: Node,
  pods: readonly Pod[],
  now: number,
): Promise<readonly DecidedPod[]> => {
  const daemonSets = await existingDaemonSets(client, pods);
  return pods.map((pod) => ({
    pod,
    decision: decidePod(pod, { nodeUnreachable: isUnreachable(node), now, daemonSets }),
  }));
};

const isNamespaceTerminating = (error: unknown): boolean =>
  isCapstanError(error, "kube.forbidden") &&
  Array.isArray(error.details["causes"]) &&
  error.details["causes"].some((cause: { reason?: string }) => cause.reason === "NamespaceTerminating");

const budgetCause = (error: {
  readonly details: Readonly<Record<string, unknown>>;
  readonly message: string;
}): string => {
  const causes = error.details["causes"];
  const messages = Array.isArray(causes)
    ? causes.map((cause: { message?: string }) => cause.message ?? "").filter((message) => message !== "")
    : [];
  return messages.length === 0 ? error.message : messages.join(" ");
};

/** Asks for one eviction. `undefined`: the Pod is gone already. */
const evict = async (client: Client, pod: Pod, gracePeriodSeconds: number | undefined): Promise<string | undefined> => {
  const { namespace = "", name = "" } = pod.metadata;
  const deleteOptions = gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds };
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
    if (isCapstanError(error, "kube.too_many_requests")) return `${drainText.disruptionBudget} ${budgetCause(error)}`;
    if (isNamespaceTerminating(error)) return "cannot be evicted while its Namespace is being deleted";
    if (isCapstanError(error)) return `${drainText.evictionFailed}, ${error.message}`;
    throw error;
  }
};

const why = async (
  context: ReconcileContext,
  client: Client,
  { pod, decision }: DecidedPod,
  limits: { readonly until: number; readonly gracePeriodSeconds: number | undefined },
): Promise<string | undefined> => {
  if (decision.action === "skip") return undefined;
  if (decision.action === "await-deletion") return drainText.terminating;
  if (decision.action === "await-completion") return drainText.completion;
  if (context.clock.now() >= limits.until) return "waiting to be evicted";
  if (decision.warning !== undefined) context.log.warn(decision.warning, { pod: podName(pod) });
  return evict(client, pod, limits.gracePeriodSeconds);
};

/**
 * One round of draining: cordons the Node, evicts what may go, and returns the Pods that are still to be waited for. The
 * Node is drained when there are none.
 */
export const drainNode = async (
  context: ReconcileContext,
  client: Client,
  node: Node,
): Promise<readonly Remaining[]> => {
  await cordon(client, node);
  const pods = await podsOnNode(client, node.metadata.name ?? "");
  const decided = await decidePods(client, node, pods, context.clock.now());
  const limits = {
    until: context.clock.now() + evictionBudgetMs,
    gracePeriodSeconds: isUnreachable(node) ? 1 : undefined,
  };
  const remaining: Remaining[] = [];
  for (const entry of decided) {
    const reason = await why(context, client, entry, limits);
    if (reason !== undefined) remaining.push({ pod: podName(entry.pod), why: reason });
  }
  return remaining;
};

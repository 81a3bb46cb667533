import type { ControllerV1 } from "@capstan/contract/v1";
import { keyOf } from "@capstan/kube-values";
import { controller, watch, watchMapped, watchOwned, type ReconcileContext, type Result } from "@capstan/runtime";
import { availableInMs, isActive, isFinished, isReady } from "../kinds/pod-state.ts";
import { DaemonSet, Node, Pod } from "../kinds/workload-kinds.ts";
import type { DaemonSetObject, NodeObject, NodeTerm, PodObject, PodSpec } from "../kinds/workload-kinds.ts";
import { podsOf } from "./indexes.ts";
import { createPod, deletePod, writeStatus } from "./owned-pods.ts";
import { admits } from "./placement.ts";
import { amountOf } from "./rolling-plan.ts";
import { templateHash } from "./template-hash.ts";

const revisionLabel = "controller-revision-hash";

/** Daemons stay on Nodes that are in trouble. */
const tolerations = [
  ...["not-ready", "unreachable"].map((name) => [name, "NoExecute"] as const),
  ...["disk-pressure", "memory-pressure", "pid-pressure", "unschedulable"].map((name) => [name, "NoSchedule"] as const),
].map(([name, effect]) => ({ key: `node.kubernetes.io/${name}`, operator: "Exists", effect }));

const bare = ({ spec }: DaemonSetObject): PodSpec => ({
  ...spec.template.spec,
  tolerations: [
    ...(spec.template.spec.tolerations ?? []),
    ...tolerations,
    ...(spec.template.spec.hostNetwork === true
      ? [{ key: "node.kubernetes.io/network-unavailable", operator: "Exists", effect: "NoSchedule" }]
      : []),
  ],
});

/** A Pod stays on a Node that takes no new ones. */
const staying = (set: DaemonSetObject): PodSpec => {
  const spec = bare(set);
  return { ...spec, tolerations: [...(spec.tolerations ?? []), { operator: "Exists", effect: "NoSchedule" }] };
};

/** The scheduler puts the Pod where it is meant to be. */
const specFor = (set: DaemonSetObject, { metadata }: NodeObject): PodSpec => {
  const spec = bare(set);
  const field = { key: "metadata.name", operator: "In", values: [metadata.name ?? ""] };
  const affinity = spec.affinity?.nodeAffinity;
  const terms = affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [{}];
  const nodeSelectorTerms = terms.map((term: NodeTerm) => ({ ...term, matchFields: [field] }));
  return {
    ...spec,
    affinity: {
      ...spec.affinity,
      nodeAffinity: { ...affinity, requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
    },
  };
};

/** The Node that a Pod is on, or is meant for. */
const nodeFor = ({ spec }: PodObject): string =>
  spec.nodeName ||
  (spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms[0]?.matchFields?.[0]
    ?.values?.[0] ??
    "");

interface Places {
  /** Those that are to have a Pod. */
  readonly nodes: readonly NodeObject[];
  /** Names of those that may keep one. */
  readonly keeping: ReadonlySet<string>;
  readonly byNode: ReadonlyMap<string, readonly PodObject[]>;
}

const nameOf = ({ metadata }: NodeObject): string => metadata.name ?? "";

const placesOf = (set: DaemonSetObject, { cache }: ReconcileContext): Places => ({
  nodes: cache.list(Node).filter((node) => admits(node, bare(set))),
  keeping: new Set(
    cache
      .list(Node)
      .filter((node) => admits(node, staying(set)))
      .map(nameOf),
  ),
  byNode: Map.groupBy(podsOf(cache, set), nodeFor),
});

const advance = async (
  set: DaemonSetObject,
  { byNode, keeping, nodes }: Places,
  revision: string,
  context: ReconcileContext,
): Promise<void> => {
  for (const node of nodes) {
    if ((byNode.get(nameOf(node)) ?? []).length > 0) continue;
    const labels = { [revisionLabel]: revision };
    await createPod(set, { template: set.spec.template, labels, spec: specFor(set, node) }, context);
  }
  for (const [name, pods] of byNode) {
    const surplus = keeping.has(name) ? pods.slice(1) : pods;
    const ended = pods.filter(isFinished);
    for (const pod of new Set([...surplus, ...ended])) {
      if (pod.metadata.deletionTimestamp === undefined) await deletePod(pod, context);
    }
  }
};

const update = async (set: DaemonSetObject, { byNode, nodes }: Places, revision: string, context: ReconcileContext) => {
  const { type, rollingUpdate } = set.spec.updateStrategy ?? {};
  if (type === "OnDelete") return;
  const pods = nodes.flatMap((node) => byNode.get(nameOf(node)) ?? []);
  const most = Math.max(1, amountOf(rollingUpdate?.maxUnavailable ?? 1, nodes.length, "up"));
  const missing = nodes.length - pods.filter((pod) => isActive(pod) && isReady(pod)).length;
  const outdated = pods.filter((pod) => isActive(pod) && pod.metadata.labels?.[revisionLabel] !== revision);
  for (const pod of outdated.slice(0, Math.max(0, most - missing))) await deletePod(pod, context);
};

/** A Pod on every Node that its template fits. */
export const daemonSets = (): ControllerV1 =>
  controller({
    name: "daemonset",
    sources: [
      watch(DaemonSet),
      watchOwned(Pod, DaemonSet),
      watchMapped(Node, (_node, { cache }) => cache.list(DaemonSet).map(keyOf)),
    ],
    reconcile: async (request, context): Promise<Result | void> => {
      const set = context.cache.get(DaemonSet, request);
      if (set === undefined || set.metadata.deletionTimestamp !== undefined) return undefined;
      const revision = templateHash(set.spec.template);
      const places = placesOf(set, context);
      await advance(set, places, revision, context);
      await update(set, places, revision, context);
      const { minReadySeconds = 0 } = set.spec;
      const pods = places.nodes.flatMap((node) => places.byNode.get(nameOf(node)) ?? []);
      const waits = pods.flatMap((pod) => availableInMs(pod, minReadySeconds, context.clock.now()) ?? []);
      const wanted = places.nodes.length;
      const available = waits.filter((wait) => wait === 0).length;
      const status = {
        desiredNumberScheduled: wanted,
        currentNumberScheduled: pods.length,
        numberMisscheduled: podsOf(context.cache, set).length - pods.length,
        numberReady: pods.filter(isReady).length,
        numberAvailable: available,
        numberUnavailable: wanted - available,
        updatedNumberScheduled: pods.filter(({ metadata }) => metadata.labels?.[revisionLabel] === revision).length,
        observedGeneration: set.metadata.generation ?? 0,
      };
      await writeStatus(DaemonSet, set, status, context);
      const next = waits.filter((wait) => wait > 0);
      return next.length === 0 ? undefined : { requeueAfterMs: Math.min(...next) };
    },
  });

import { rfc3339 } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import type { Cache } from "@capstan/kube";
import { keyOf } from "@capstan/kube-values";
import { controller, watch, type ReconcileContext, type Result, type Source } from "@capstan/runtime";
import { conditionOf, isFinished, isMirror, isReady } from "../kinds/pod-state.ts";
import { Pod, type PodObject } from "../kinds/workload-kinds.ts";
import { showsComponent } from "../kinds/component-name.ts";
import { podsOn } from "./indexes.ts";
import type { Clouds } from "./clouds.ts";
import type { Kubelet, Kubelets } from "./kubelets.ts";
import { hasCrashed, reportObstacle } from "./obstructed-pod.ts";
import { containerStates, podConditions, report } from "./pod-report.ts";
import { configureNetwork, startObstacle } from "./start-pod.ts";

/** From when a Pod is on its Node until its containers run. */
const startMs = 1000;
/** Run time of containers that end by themselves. */
const workMs = 2000;
/** From the signal to end until a container has ended, unless its Pod is given less. */
const endMs = 1000;

/** Requests for the Pods of Nodes whose kubelet starts, or whose network comes or goes. */
const kubeletSource = (kubelets: Kubelets): Source => ({
  start: (queue, { cache }, { signal }) => {
    const unsubscribe = kubelets.subscribe((node) => {
      for (const pod of podsOn(cache, node)) queue.add(keyOf(pod));
    });
    signal.addEventListener("abort", unsubscribe, { once: true });
  },
});

const time = (text: string | undefined, otherwise: number): number => {
  const parsed = Date.parse(text ?? "");
  return Number.isNaN(parsed) ? otherwise : parsed;
};

/** The address of a Pod in the cluster's network. */
type Addresses = (pod: PodObject, cache: Cache) => string;

/** Gives each Pod the first address that no other has; what was given is taken before the cache has heard of it. */
const podAddresses = (): Addresses => {
  const given = new Map<string, string>();
  return ({ metadata: { uid = "" } }, cache) => {
    const known = new Map(cache.list(Pod).map((pod) => [pod.metadata.uid ?? "", pod.status?.podIP]));
    for (const other of given.keys()) if (!known.has(other) || known.get(other) !== undefined) given.delete(other);
    const taken = new Set([...known.values(), ...given.values()]);
    for (let n = 2; !given.has(uid); n += 1) {
      const address = `10.244.${Math.floor(n / 256)}.${n % 256}`;
      if (!taken.has(address)) given.set(uid, address);
    }
    return given.get(uid) ?? "";
  };
};

const run = (pod: PodObject, { address }: Kubelet, context: ReconcileContext, addresses: Addresses): Promise<void> => {
  const now = rfc3339(context.clock.now());
  const podIP = pod.spec.hostNetwork === true ? address : addresses(pod, context.cache);
  const status = {
    phase: "Running",
    hostIP: address,
    hostIPs: [{ ip: address }],
    podIP,
    startTime: now,
    conditions: podConditions(pod, true, now),
    containerStatuses: containerStates(pod, true, { running: { startedAt: now } }),
  };
  return report(pod, status, context);
};

const finish = (pod: PodObject, context: ReconcileContext): Promise<void> => {
  const now = rfc3339(context.clock.now());
  const terminated = { exitCode: 0, reason: "Completed", startedAt: pod.status?.startTime, finishedAt: now };
  const status = {
    phase: "Succeeded",
    conditions: podConditions(pod, false, now, "PodCompleted"),
    containerStatuses: containerStates(pod, false, { running: null, terminated }),
  };
  return report(pod, status, context);
};

/** When a Pod that is to go has ended: its grace is the longest it takes. */
const endsAt = ({ metadata, spec }: PodObject): number => {
  const last = Date.parse(metadata.deletionTimestamp ?? "");
  const asked = last - (metadata.deletionGracePeriodSeconds ?? 0) * 1000;
  const sleeps = spec.containers.map(({ lifecycle }) => lifecycle?.preStop?.sleep?.seconds ?? 0);
  return Math.min(last, asked + Math.max(...sleeps) * 1000 + endMs);
};

const end = async (pod: PodObject, { client, clock, signal }: ReconcileContext): Promise<Result | void> => {
  const leftMs = endsAt(pod) - clock.now();
  if (leftMs > 0) return { requeueAfterMs: leftMs };
  const preconditions = { uid: pod.metadata.uid ?? "" };
  await client.delete(Pod, keyOf(pod), { gracePeriodSeconds: 0, preconditions, signal });
  return undefined;
};

/** Its kubelet is back: what runs is ready again. */
const isFoundAgain = (pod: PodObject): boolean =>
  pod.status?.phase === "Running" &&
  !isReady(pod) &&
  (pod.status.containerStatuses ?? []).every(({ ready }) => ready === true);

interface KubeletState {
  readonly clouds: Clouds;
  readonly addresses: Addresses;
  /** When Pods whose containers do not run are started again, by uid. */
  readonly retries: Map<string, number>;
}

/** Starts a Pod, or reports the obstacle and returns when to retry. */
const start = async (pod: PodObject, kubelet: Kubelet, context: ReconcileContext, state: KubeletState) => {
  const { uid = "" } = pod.metadata;
  const obstacle = await startObstacle(pod, { kubelet, clouds: state.clouds }, context);
  if (obstacle === undefined) {
    state.retries.delete(uid);
    await run(pod, kubelet, context, state.addresses);
    return undefined;
  }
  const againMs = await reportObstacle(pod, obstacle, kubelet, context);
  if (againMs === undefined) return undefined;
  state.retries.set(uid, context.clock.now() + againMs);
  return { requeueAfterMs: againMs };
};

const advance = async (
  pod: PodObject,
  kubelet: Kubelet,
  context: ReconcileContext,
  state: KubeletState,
): Promise<Result | void> => {
  const now = context.clock.now();
  if (isFoundAgain(pod)) return report(pod, { conditions: podConditions(pod, true, rfc3339(now)) }, context);
  if (isMirror(pod) && showsComponent(pod)) return undefined;
  const { creationTimestamp, uid = "" } = pod.metadata;
  if (pod.status?.phase !== "Running" || hasCrashed(pod)) {
    const placed = time(conditionOf(pod, "PodScheduled")?.lastTransitionTime, time(creationTimestamp, now));
    const leftMs = Math.max(placed + startMs, state.retries.get(uid) ?? now) - now;
    return leftMs > 0 ? { requeueAfterMs: leftMs } : start(pod, kubelet, context, state);
  }
  configureNetwork(pod, kubelet.network);
  if ((pod.spec.restartPolicy ?? "Always") === "Always") return undefined;
  const leftMs = time(pod.status.startTime, now) + workMs - now;
  return leftMs > 0 ? { requeueAfterMs: leftMs } : finish(pod, context);
};

/**
 * Models how kubelets run the Pods of their Node: Pods run and are ready after a second, unless an obstacle keeps them from starting; Pods
 * that are not restarted succeed two seconds later; deleted Pods end within their grace period.
 */
export const runPods = (kubelets: Kubelets, clouds: Clouds): ControllerV1 => {
  const state: KubeletState = { clouds, addresses: podAddresses(), retries: new Map() };
  return controller({
    name: "kubelet",
    sources: [watch(Pod), kubeletSource(kubelets)],
    reconcile: async (request, context) => {
      const pod = context.cache.get(Pod, request);
      const kubelet = pod === undefined ? undefined : kubelets.get(pod.spec.nodeName ?? "");
      if (pod === undefined || kubelet === undefined) return undefined;
      if (pod.metadata.deletionTimestamp !== undefined) {
        state.retries.delete(pod.metadata.uid ?? "");
        return end(pod, context);
      }
      return isFinished(pod) ? undefined : advance(pod, kubelet, context, state);
    },
  });
};

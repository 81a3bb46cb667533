import type { ControllerV1 } from "@capstan/contract/v1";
import { controller, watch, watchOwned, type ReconcileContext, type Result } from "@capstan/runtime";
import { availableInMs, isActive, isFinished, isReady } from "../kinds/pod-state.ts";
import { Pod, StatefulSet, type PodObject, type StatefulSetObject } from "../kinds/workload-kinds.ts";
import { podsOf } from "./indexes.ts";
import { createPod, deletePod, writeStatus } from "./owned-pods.ts";
import { templateHash } from "./template-hash.ts";

const revisionLabel = "controller-revision-hash";

const ordinalOf = ({ metadata }: PodObject): number => Number(/-(\d+)$/.exec(metadata.name ?? "")?.[1] ?? -1);

const create = (
  set: StatefulSetObject,
  ordinal: number,
  revision: string,
  context: ReconcileContext,
): Promise<void> => {
  const name = `${set.metadata.name}-${ordinal}`;
  const labels = {
    [revisionLabel]: revision,
    "statefulset.kubernetes.io/pod-name": name,
    "apps.kubernetes.io/pod-index": String(ordinal),
  };
  return createPod(set, { template: set.spec.template, name, labels, spec: { hostname: name } }, context);
};

/** One change to the Pods, or several where their order does not matter. Returns whether there was one. */
const advance = async (
  set: StatefulSetObject,
  pods: readonly PodObject[],
  revision: string,
  context: ReconcileContext,
): Promise<boolean> => {
  const { minReadySeconds = 0, podManagementPolicy, replicas = 1, updateStrategy = {} } = set.spec;
  const inOrder = podManagementPolicy !== "Parallel";
  const byOrdinal = new Map(pods.map((pod) => [ordinalOf(pod), pod]));
  const settled = (pod: PodObject): boolean =>
    isActive(pod) && availableInMs(pod, minReadySeconds, context.clock.now()) === 0;
  for (let ordinal = 0; ordinal < replicas; ordinal += 1) {
    const pod = byOrdinal.get(ordinal);
    if (pod === undefined) await create(set, ordinal, revision, context);
    else if (isFinished(pod) && pod.metadata.deletionTimestamp === undefined) await deletePod(pod, context);
    else if (settled(pod)) continue;
    if (inOrder) return true;
  }
  const surplus = pods.filter((pod) => ordinalOf(pod) >= replicas).toSorted((a, b) => ordinalOf(b) - ordinalOf(a));
  for (const pod of surplus) {
    if (pod.metadata.deletionTimestamp === undefined) await deletePod(pod, context);
    if (inOrder) return true;
  }
  if (updateStrategy.type === "OnDelete" || !pods.every(settled)) return false;
  const partition = updateStrategy.rollingUpdate?.partition ?? 0;
  const outdated = pods
    .filter((pod) => ordinalOf(pod) >= partition && pod.metadata.labels?.[revisionLabel] !== revision)
    .toSorted((a, b) => ordinalOf(b) - ordinalOf(a))[0];
  if (outdated !== undefined) await deletePod(outdated, context);
  return outdated !== undefined;
};

const statusOf = (set: StatefulSetObject, pods: readonly PodObject[], revision: string, now: number) => {
  const { minReadySeconds = 0, replicas = 1 } = set.spec;
  const updated = pods.filter(({ metadata }) => metadata.labels?.[revisionLabel] === revision).length;
  const before = set.status?.["currentRevision"];
  return {
    replicas: pods.length,
    readyReplicas: pods.filter(isReady).length,
    availableReplicas: pods.filter((pod) => availableInMs(pod, minReadySeconds, now) === 0).length,
    updatedReplicas: updated,
    currentReplicas: updated === replicas ? updated : pods.length - updated,
    updateRevision: revision,
    currentRevision: before === undefined || updated === replicas ? revision : before,
    observedGeneration: set.metadata.generation ?? 0,
    collisionCount: 0,
  };
};

/** Pods with names that stay, made, updated and removed one after another. Their claims for volumes are not made. */
export const statefulSets = (): ControllerV1 =>
  controller({
    name: "statefulset",
    sources: [watch(StatefulSet), watchOwned(Pod, StatefulSet)],
    reconcile: async (request, context): Promise<Result | void> => {
      const { cache, clock } = context;
      const set = cache.get(StatefulSet, request);
      if (set === undefined || set.metadata.deletionTimestamp !== undefined) return undefined;
      const pods = podsOf(cache, set);
      const revision = templateHash(set.spec.template);
      await writeStatus(StatefulSet, set, statusOf(set, pods, revision, clock.now()), context);
      await advance(set, pods, revision, context);
      const { minReadySeconds = 0 } = set.spec;
      const waits = pods.flatMap((pod) => availableInMs(pod, minReadySeconds, clock.now()) || []);
      return waits.length === 0 ? undefined : { requeueAfterMs: Math.min(...waits) };
    },
  });

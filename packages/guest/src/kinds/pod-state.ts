import type { Condition, PodObject } from "./workload-kinds.ts";

export const conditionOf = ({ status }: PodObject, type: string): Condition | undefined =>
  status?.conditions?.find((condition) => condition.type === type);

export const isReady = (pod: PodObject): boolean => conditionOf(pod, "Ready")?.status === "True";

/** Its containers have ended, and are not started again. */
export const isFinished = ({ status }: PodObject): boolean =>
  status?.phase === "Succeeded" || status?.phase === "Failed";

/** It counts as one of its controller's replicas. */
export const isActive = (pod: PodObject): boolean => !isFinished(pod) && pod.metadata.deletionTimestamp === undefined;

/** Shows what a kubelet runs from a file. */
export const isMirror = ({ metadata }: PodObject): boolean =>
  metadata.annotations?.["kubernetes.io/config.mirror"] !== undefined;

/** Milliseconds until the Pod has been ready for so long; 0: it is available; `undefined`: it is not ready. */
export const availableInMs = (pod: PodObject, minReadySeconds: number, now: number): number | undefined => {
  if (!isReady(pod)) return undefined;
  const since = Date.parse(conditionOf(pod, "Ready")?.lastTransitionTime ?? "");
  return Number.isNaN(since) ? 0 : Math.max(0, since + minReadySeconds * 1000 - now);
};

/** The conditions with some of them changed; the time of a change is kept where nothing changes. */
export const withConditions = (
  before: readonly Condition[] | undefined,
  changes: readonly Condition[],
  time: string,
): readonly Condition[] => {
  const others = (before ?? []).filter(({ type }) => changes.every((change) => change.type !== type));
  const changed = changes.map((change) => {
    const same = before?.find(({ type, status }) => type === change.type && status === change.status);
    return { ...change, lastTransitionTime: same?.lastTransitionTime ?? time };
  });
  return [...others, ...changed];
};

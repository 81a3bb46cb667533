import type { Condition, NodeObject, Taint } from "./workload-kinds.ts";

const healthy: readonly (readonly [type: string, status: string, reason: string, message: string])[] = [
  ["MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"],
  ["DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"],
  ["PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"],
  ["Ready", "True", "KubeletReady", "kubelet is posting ready status"],
];

interface HeardCondition extends Condition {
  readonly lastHeartbeatTime?: string;
}

/** Returns the conditions that a running kubelet posts about its Node. `obstacle`: the reason the Node is not ready. */
export const heardConditions = (time: string, obstacle?: string): readonly HeardCondition[] =>
  healthy.map(([type, status, reason, message]) => ({
    type,
    ...(type === "Ready" && obstacle !== undefined
      ? { status: "False", reason: "KubeletNotReady", message: obstacle }
      : { status, reason, message }),
    lastHeartbeatTime: time,
    lastTransitionTime: time,
  }));

/** Returns the conditions of a Node whose kubelet is silent. */
export const unknownConditions = ({ status }: NodeObject, time: string): readonly HeardCondition[] =>
  healthy.map(([type]) => {
    const before: HeardCondition | undefined = status?.conditions?.find((condition) => condition.type === type);
    return {
      type,
      status: "Unknown",
      reason: "NodeStatusUnknown",
      message: "Kubelet stopped posting node status.",
      ...(before?.lastHeartbeatTime === undefined ? {} : { lastHeartbeatTime: before.lastHeartbeatTime }),
      lastTransitionTime: before?.status === "Unknown" ? (before.lastTransitionTime ?? time) : time,
    };
  });

/** `True`, `False` or `Unknown`; `undefined` before anything was heard. */
export const readyOf = ({ status }: NodeObject): string | undefined =>
  status?.conditions?.find(({ type }) => type === "Ready")?.status;

/** When its kubelet last posted the Node's state, in milliseconds; `-Infinity` when it never did. */
export const heardAt = ({ status }: NodeObject): number => {
  const ready: HeardCondition | undefined = status?.conditions?.find(({ type }) => type === "Ready");
  const time = Date.parse(ready?.lastHeartbeatTime ?? "");
  return Number.isNaN(time) ? -Infinity : time;
};

/** Put on by a kubelet that waits for the cloud's controller, taken off by that controller. */
export const cloudTaint = {
  key: "node.cloudprovider.kubernetes.io/uninitialized",
  value: "true",
  effect: "NoSchedule",
} as const;

export const notReadyTaint = "node.kubernetes.io/not-ready";
const unreachableTaint = "node.kubernetes.io/unreachable";
const unschedulableTaint = "node.kubernetes.io/unschedulable";
const kept = new Set([notReadyTaint, unreachableTaint, unschedulableTaint]);

/** The taints that a Node's state asks for, beside those that others have put on it. */
export const taintsFor = (node: NodeObject, time: string): readonly Taint[] => {
  const { taints = [], unschedulable = false } = node.spec ?? {};
  const ready = readyOf(node);
  const lost = ready === "Unknown" ? unreachableTaint : ready === "True" ? undefined : notReadyTaint;
  const wanted: readonly Taint[] = [
    ...(lost === undefined ? [] : [{ key: lost, effect: "NoSchedule" }]),
    // A Node that was never heard of has no Pods to be evicted.
    ...(lost === undefined || ready === undefined ? [] : [{ key: lost, effect: "NoExecute", timeAdded: time }]),
    ...(unschedulable ? [{ key: unschedulableTaint, effect: "NoSchedule", timeAdded: time }] : []),
  ];
  const present = (taint: Taint): Taint =>
    taints.find(({ key, effect }) => key === taint.key && effect === taint.effect) ?? taint;
  return [...taints.filter(({ key }) => !kept.has(key)), ...wanted.map(present)];
};

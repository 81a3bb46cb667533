import type { ConditionInput, ConditionStatus } from "@capstan/contract/wire";
import { findCondition, internalError, MachineCondition } from "@capstan/kit/machines";
import { type Cluster, type Machine, ClusterCondition, MachineReason } from "../api.ts";
import type { NodeObservation } from "./scope.ts";
import type { Node } from "../object/workload-kinds.ts";
import { rfc3339 } from "@capstan/contract";

/** The Node conditions that say whether it is healthy, with the status that is good, in the order of the message. */
const judged = [
  { type: "Ready", good: "True" },
  { type: "MemoryPressure", good: "False" },
  { type: "DiskPressure", good: "False" },
  { type: "PIDPressure", good: "False" },
] as const;

const nodeTypes = [MachineCondition.nodeHealthy, MachineCondition.nodeReady];

const both = (status: ConditionStatus, reason: string, message: string): readonly ConditionInput[] =>
  nodeTypes.map((type) => ({ type, status, reason, message }));

const groupLines = (deviations: readonly { readonly type: string; readonly text: string }[]): string => {
  const groups = Map.groupBy(deviations, ({ text }) => text);
  return [...groups]
    .map(([text, members]) => `* ${members.map(({ type }) => `Node.${type}`).join(", ")}: ${text}`)
    .join("\n");
};

/** NodeHealthy, out of the pressures and readiness that the kubelet reports. */
export const nodeHealthy = (node: Node): ConditionInput => {
  const deviations = judged.flatMap(({ type, good }) => {
    const condition = node.status?.conditions?.find((candidate) => candidate.type === type);
    if (condition === undefined) return [{ type, bad: false, text: "Condition not yet reported" }];
    if (condition.status === good) return [];
    const message = condition.message ?? "";
    return [
      {
        type,
        bad: condition.status !== "Unknown",
        text: message === "" ? `Condition is ${condition.status}` : message,
      },
    ];
  });
  const message = groupLines(deviations);
  if (deviations.some(({ bad }) => bad)) {
    return {
      type: MachineCondition.nodeHealthy,
      status: "False",
      reason: MachineReason.nodeHealthy.notHealthy,
      message,
    };
  }
  return deviations.length === 0
    ? { type: MachineCondition.nodeHealthy, status: "True", reason: MachineReason.nodeHealthy.healthy }
    : { type: MachineCondition.nodeHealthy, status: "Unknown", reason: MachineReason.nodeHealthy.unknown, message };
};

/** NodeReady, mirrored from the Node's Ready. */
export const nodeReady = (node: Node): ConditionInput => {
  const ready = node.status?.conditions?.find(({ type }) => type === "Ready");
  if (ready === undefined) {
    const message = "* Node.Ready: Condition not yet reported";
    return { type: MachineCondition.nodeReady, status: "Unknown", reason: MachineReason.nodeReady.unknown, message };
  }
  const time = ready.lastTransitionTime === undefined ? {} : { lastTransitionTime: ready.lastTransitionTime };
  const message = ready.message === undefined || ready.message === "" ? "" : `* Node.Ready: ${ready.message}`;
  if (ready.status === "True") {
    return {
      type: MachineCondition.nodeReady,
      status: "True",
      reason: MachineReason.nodeReady.ready,
      message: "",
      ...time,
    };
  }
  return ready.status === "False"
    ? { type: MachineCondition.nodeReady, status: "False", reason: MachineReason.nodeReady.notReady, message, ...time }
    : {
        type: MachineCondition.nodeReady,
        status: "Unknown",
        reason: MachineReason.nodeReady.unknown,
        message,
        ...time,
      };
};

export interface NodeConditionFacts {
  readonly machine: Machine;
  readonly cluster: Cluster;
  readonly node: NodeObservation;
  /** When the workload cluster last answered, in milliseconds; `undefined`: never. */
  readonly lastProbeSuccess: number | undefined;
  /** When this process began, in milliseconds since the epoch. */
  readonly since: number;
  readonly graceMs: number;
  readonly now: number;
}

/** Nodes get their provider id from the cloud's controller inside the cluster; where that does not run, none is ever found. */
const anonymousHint = (anonymous: number): string => {
  if (anonymous === 0) return "";
  const nodes = anonymous === 1 ? "1 Node has" : `${anonymous} Nodes have`;
  return `; ${nodes} no spec.providerID: check that the cloud controller manager runs in the workload cluster`;
};

const missingNode = (machine: Machine, anonymous: number): readonly ConditionInput[] => {
  const name = machine.status?.nodeRef?.name;
  if (name !== undefined) {
    const while_ = machine.metadata.deletionTimestamp === undefined ? " while the Machine still exists" : "";
    return both("False", MachineReason.nodeReady.deleted, `Node ${name} has been deleted${while_}`);
  }
  if (machine.metadata.deletionTimestamp !== undefined) {
    return both("Unknown", MachineReason.nodeReady.doesNotExist, "Node does not exist");
  }
  const { providerID, infrastructureRef } = machine.spec;
  return both(
    "Unknown",
    MachineReason.nodeReady.inspectionFailed,
    providerID === undefined
      ? `Waiting for ${infrastructureRef.kind} to report spec.providerID`
      : `Waiting for a Node with spec.providerID ${providerID} to exist${anonymousHint(anonymous)}`,
  );
};

export interface NodeConditions {
  readonly conditions: readonly ConditionInput[];
  /** When to look again: what is kept now is given up then. */
  readonly remainingMs?: number;
}

/**
 * NodeHealthy and NodeReady. While the workload cluster does not answer, what was last known stands until the grace period
 * is over, counted from its last answer, or, where this process has had none, from the process's start or the control plane's
 * initialisation.
 */
export const nodeConditions = (facts: NodeConditionFacts): NodeConditions => {
  const { machine, cluster, node, now } = facts;
  if (cluster.status?.initialization?.infrastructureProvisioned !== true) {
    const message = "Waiting for Cluster status.initialization.infrastructureProvisioned to be true";
    return { conditions: both("Unknown", MachineReason.nodeReady.inspectionFailed, message) };
  }
  const initialized = findCondition(cluster, ClusterCondition.controlPlaneInitialized);
  if (initialized?.status !== "True") {
    const message = "Waiting for Cluster control plane to be initialized";
    return { conditions: both("Unknown", MachineReason.nodeReady.inspectionFailed, message) };
  }
  if (node.state === "found") return { conditions: [nodeHealthy(node.node), nodeReady(node.node)] };
  if (node.state === "unreadable") return { conditions: nodeTypes.map(internalError) };
  if (node.state !== "unreachable") {
    return { conditions: missingNode(machine, node.state === "missing" ? node.anonymous : 0) };
  }
  return unreachableNode(facts, Date.parse(initialized.lastTransitionTime), now);
};

const unreachableNode = (facts: NodeConditionFacts, initializedAt: number, now: number): NodeConditions => {
  const remainingMs = Math.max(facts.lastProbeSuccess ?? facts.since, initializedAt) + facts.graceMs - now;
  if (remainingMs > 0 && findCondition(facts.machine, MachineCondition.nodeHealthy) !== undefined) {
    return { conditions: [], remainingMs };
  }
  const probe = facts.lastProbeSuccess === undefined ? "never" : `at ${rfc3339(facts.lastProbeSuccess)}`;
  const message = `The workload cluster does not answer; it last did ${probe}`;
  return { conditions: both("Unknown", MachineReason.nodeReady.connectionDown, message) };
};

import { Annotation, Label } from "@capstan/contract";
import { findCondition, isConditionTrue } from "@capstan/kit/machines";
import { type Cluster, type Machine, ClusterCondition, MachineReason } from "../api.ts";
import type { Node } from "../object/workload-kinds.ts";

const judged = MachineReason.healthCheckSucceeded;

/** State of a Machine's Node. */
export type NodeSight =
  | { readonly state: "found"; readonly node: Node }
  /** The Machine had a Node, and its cluster has it no more. */
  | { readonly state: "gone" }
  /** The Machine has no Node yet. */
  | { readonly state: "none" }
  /** The workload cluster does not answer at present. */
  | { readonly state: "unknown" };

/** A condition that must not have a status for longer than a time. */
export interface Limit {
  readonly type: string;
  readonly status: string;
  readonly timeoutMs: number;
}

export interface HealthRules {
  /** 0: without limit. */
  readonly nodeStartupTimeoutMs: number;
  readonly nodeConditions: readonly Limit[];
  readonly machineConditions: readonly Limit[];
}

export type UnhealthyReason = Exclude<(typeof judged)[keyof typeof judged], typeof judged.succeeded>;

export type Verdict =
  | { readonly kind: "healthy" }
  | { readonly kind: "unhealthy"; readonly reason: UnhealthyReason; readonly messages: readonly string[] }
  /** Nothing can be said yet, or something is amiss, but not for long enough. `recheckMs`: when time alone changes that. */
  | { readonly kind: "pending"; readonly recheckMs?: number }
  /** Its cluster does not answer, so the last verdict stands. */
  | { readonly kind: "unknown" }
  /** It is being deleted already. */
  | { readonly kind: "leaving" };

export interface HealthFacts {
  readonly machine: Machine;
  readonly cluster: Cluster;
  readonly node: NodeSight;
  readonly rules: HealthRules;
  readonly now: number;
}

/** Something amiss: over its time limit, or `remainingMs` before it. */
interface Finding {
  readonly reason: UnhealthyReason;
  readonly message: string;
  readonly remainingMs: number;
}

interface Observed {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly lastTransitionTime?: string;
}

/** As programs in Go write it: 1h0m0s. */
const duration = (ms: number): string => {
  const all = Math.floor(ms / 1000);
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  if (hours > 0) return `${hours}h${minutes}m${seconds}s`;
  return minutes > 0 ? `${minutes}m${seconds}s` : `${seconds}s`;
};

/** Reason of conditions about the connection to a cluster and not the Machine. */
const connectionDown = "ConnectionDown";

/** Times are whole seconds, so that a limit is over once it has been passed, and not when it is reached. */
const isOver = ({ remainingMs }: Finding): boolean => remainingMs < 0;

const limitFindings = (
  conditions: readonly Observed[],
  limits: readonly Limit[],
  subject: { readonly reason: UnhealthyReason; readonly kind: string },
  now: number,
): readonly Finding[] =>
  limits.flatMap(({ type, status, timeoutMs }) => {
    const found = conditions.find((condition) => condition.type === type);
    if (found === undefined || found.status !== status || found.reason === connectionDown) return [];
    return [
      {
        reason: subject.reason,
        message: `Condition ${type} on ${subject.kind} is reporting status ${status} with reason ${found.reason ?? ""} for more than ${duration(timeoutMs)}`,
        remainingMs: since(found.lastTransitionTime, now) + timeoutMs - now,
      },
    ];
  });

/** A condition that does not say since when it stands begins to count now. */
const since = (time: string | undefined, now: number): number => {
  const at = Date.parse(time ?? "");
  return Number.isNaN(at) ? now : at;
};

const becameTrue = (object: Cluster | Machine, type: string): number => {
  const condition = findCondition(object, type);
  return condition?.status === "True" ? Date.parse(condition.lastTransitionTime) : 0;
};

/** A Machine can only become a Node once all that it needs is there: from then on its time counts. */
const startupFinding = ({ machine, cluster, rules, now }: HealthFacts): readonly Finding[] => {
  if (rules.nodeStartupTimeoutMs === 0) return [];
  const startedAt = Math.max(
    since(machine.metadata.creationTimestamp, now),
    becameTrue(cluster, ClusterCondition.controlPlaneInitialized),
    becameTrue(cluster, "InfrastructureReady"),
    becameTrue(machine, "InfrastructureReady"),
  );
  const message = `Node failed to report startup in ${duration(rules.nodeStartupTimeoutMs)}`;
  return [{ reason: judged.nodeStartupTimeout, message, remainingMs: startedAt + rules.nodeStartupTimeoutMs - now }];
};

const nodeFindings = (facts: HealthFacts): readonly Finding[] => {
  const { node, rules, now } = facts;
  switch (node.state) {
    case "gone": {
      const name = facts.machine.status?.nodeRef?.name ?? "";
      return [{ reason: judged.nodeDeleted, message: `Node ${name} has been deleted`, remainingMs: -1 }];
    }
    case "none":
      return startupFinding(facts);
    case "found": {
      const subject = { reason: judged.unhealthyNode, kind: "Node" } as const;
      return limitFindings(node.node.status?.conditions ?? [], rules.nodeConditions, subject, now);
    }
    default:
      return [];
  }
};

/** Conditions of Machines outweigh those of their Nodes. */
const verdictOf = (findings: readonly Finding[]): Verdict | undefined => {
  const over = findings.filter(isOver);
  const [first] = over;
  if (first !== undefined) {
    return { kind: "unhealthy", reason: first.reason, messages: over.map(({ message }) => message) };
  }
  if (findings.length === 0) return undefined;
  return { kind: "pending", recheckMs: Math.min(...findings.map(({ remainingMs }) => remainingMs)) + 1000 };
};

/** Why the health of a Machine says nothing yet: what it depends on has never been there. */
const isTooEarly = ({ machine, cluster }: HealthFacts): boolean =>
  cluster.status?.initialization?.infrastructureProvisioned !== true ||
  (!isConditionTrue(cluster, ClusterCondition.controlPlaneInitialized) &&
    machine.metadata.labels?.[Label.controlPlane] === undefined);

/** Returns whether a Machine is healthy, by the rules of one MachineHealthCheck. */
export const judge = (facts: HealthFacts): Verdict => {
  const { machine, node, rules, now } = facts;
  if (machine.metadata.deletionTimestamp !== undefined) return { kind: "leaving" };
  if (machine.metadata.annotations?.[Annotation.remediateMachine] !== undefined) {
    const messages = ["Marked for remediation via remediate-machine annotation"];
    return { kind: "unhealthy", reason: judged.hasRemediateAnnotation, messages };
  }
  if (isTooEarly(facts)) return { kind: "pending" };
  const subject = { reason: judged.unhealthyMachine, kind: "Machine" } as const;
  const verdict = verdictOf([
    ...limitFindings(machine.status?.conditions ?? [], rules.machineConditions, subject, now),
    ...nodeFindings(facts),
  ]);
  if (verdict !== undefined) return verdict;
  if (node.state === "unknown") return { kind: "unknown" };
  return node.state === "found" ? { kind: "healthy" } : { kind: "pending" };
};

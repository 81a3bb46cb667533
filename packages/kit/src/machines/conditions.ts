import {
  drainingNode,
  MachineCondition,
  ReplicasCondition,
  ReplicasReason,
  UpToDateReason,
} from "./condition-names.ts";
import type { AggregateMember, ConditionInput, SummaryTarget } from "@capstan/contract/wire";
import { aggregate, conditionsOf } from "@capstan/contract/wire";
import { Label } from "@capstan/contract";
import { byText } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { findCondition } from "../objects/conditions.ts";
import { delayCauses } from "./drain-text.ts";
import type { Machine } from "./machine.ts";

const readyTarget: SummaryTarget = {
  type: ReplicasCondition.machinesReady,
  reasons: {
    True: ReplicasReason.machinesReady.ready,
    False: ReplicasReason.machinesReady.notReady,
    Unknown: ReplicasReason.machinesReady.unknown,
  },
};
const upToDateTarget: SummaryTarget = {
  type: ReplicasCondition.machinesUpToDate,
  reasons: {
    True: ReplicasReason.machinesUpToDate.upToDate,
    False: ReplicasReason.machinesUpToDate.notUpToDate,
    Unknown: ReplicasReason.machinesUpToDate.unknown,
  },
};

/** A Machine this young may lack a condition without anything being wrong. */
export const newMachineMs = 10_000;
const staleDeletionMs = 15 * 60_000;
const slowDrainMs = 5 * 60_000;
const shownNames = 3;

const member = (machine: Machine, type: string): AggregateMember => ({
  kind: machine.kind,
  name: machine.metadata.name ?? "",
  controlPlane: machine.metadata.labels?.[Label.controlPlane] !== undefined,
  condition: findCondition(machine, type),
});

export const machinesReady = (machines: readonly Machine[]): ConditionInput =>
  aggregate(
    machines.map((machine) => member(machine, MachineCondition.ready)),
    { source: MachineCondition.ready, target: readyTarget, noneReason: ReplicasReason.machinesReady.noReplicas },
  );

/** Machines without the condition count if it should have been set: not new ones, and none without a deployment. */
export const machinesUpToDate = (
  machines: readonly Machine[],
  input: { readonly now: number; readonly judged: boolean },
): ConditionInput => {
  const isNew = ({ metadata }: Machine): boolean =>
    input.now - Date.parse(metadata.creationTimestamp ?? "") < newMachineMs;
  const members = machines
    .filter(
      (machine) => findCondition(machine, MachineCondition.upToDate) !== undefined || (input.judged && !isNew(machine)),
    )
    .map((machine) => member(machine, MachineCondition.upToDate));
  return aggregate(members, {
    source: MachineCondition.upToDate,
    target: upToDateTarget,
    noneReason: ReplicasReason.machinesUpToDate.noReplicas,
  });
};

/** At most three names, and how many more there are. */
const nameList = (machines: readonly Machine[]): string => {
  const names = machines.map(({ metadata }) => metadata.name ?? "").sort(byText);
  const shown = names.slice(0, shownNames).join(", ");
  return names.length > shownNames ? `${shown}, ... (${names.length - shownNames} more)` : shown;
};

/** Machines whose deletion takes long, and why; nothing when there are none. */
export const staleMachinesMessage = (machines: readonly Machine[], now: number): string => {
  const stale = machines.filter(({ metadata }) => now - Date.parse(metadata.deletionTimestamp ?? "") > staleDeletionMs);
  if (stale.length === 0) return "";
  const causes = new Set(
    stale.flatMap((machine) => {
      const deleting = findCondition(machine, MachineCondition.deleting);
      const draining = now - Date.parse(machine.status?.deletion?.nodeDrainStartTime ?? "") > slowDrainMs;
      return deleting?.reason === drainingNode && draining ? delayCauses(deleting.message) : [];
    }),
  );
  const why = causes.size === 0 ? "" : `, delay likely due to ${[...causes].join(", ")}`;
  return `* Machine${stale.length > 1 ? "s" : ""} ${nameList(stale)} in deletion since more than 15m${why}`;
};

const scaleMessage = (from: number, to: number, lines: readonly string[], blocked: boolean): string => {
  const head = `Scaling ${to > from ? "up" : "down"} from ${from} to ${to} replicas`;
  const shown = lines.filter((line) => line !== "");
  if (shown.length === 0) return head;
  return `${head}${blocked ? " is blocked because" : ""}:\n${shown.join("\n")}`;
};

/** The items of the lists below the lines that say that something is blocked, without their indentation; a Cluster has several such lists. */
const blockedItems = (message: string): readonly string[] => {
  const items: string[] = [];
  let indent: number | undefined;
  let isIn = false;
  for (const line of message.split("\n")) {
    if (line.endsWith("blocked because:")) {
      isIn = true;
      indent = undefined;
    } else if (isIn) {
      const at = line.search(/\S/);
      indent ??= at;
      isIn = at === -1 || at >= indent;
      if (!isIn) continue;
      if (line.startsWith("* ", indent)) items.push(line.slice(indent + 2));
      else items.push(`${items.pop() ?? ""}\n${line.slice(indent)}`);
    }
  }
  return items.map((item) => item.trim()).filter((item) => item !== "");
};

/** Why something cannot make the Machines that it lacks, as its condition ScalingUp says; empty when nothing is in the way. */
export const blockersIn = (object: KubeObject): readonly string[] =>
  blockedItems(conditionsOf(object).find(({ type }) => type === ReplicasCondition.scalingUp)?.message ?? "");

export interface ScalingFacts {
  /** `undefined` while it is not known. */
  readonly desired: number | undefined;
  readonly present: number;
  readonly deleting: boolean;
  /** Why replicas cannot be made, for example missing templates. */
  readonly blockers: readonly string[];
  /** About deletions that take long. */
  readonly stale: string;
}

/** ScalingUp and ScalingDown of what has replicas. While it is deleted, none are wanted. */
export const scalingConditions = (facts: ScalingFacts): readonly ConditionInput[] => {
  const { present, blockers, stale } = facts;
  const wanted = facts.deleting ? 0 : facts.desired;
  if (wanted === undefined) {
    const message = "Waiting for spec.replicas set";
    return [ReplicasCondition.scalingUp, ReplicasCondition.scalingDown].map((type) => ({
      type,
      status: "Unknown",
      reason: ReplicasReason.scalingUp.waitingForReplicasSet,
      message,
    }));
  }
  const lines = blockers.map((blocker) => `* ${blocker}`);
  const idle =
    facts.deleting || blockers.length === 0 ? "" : `Scaling up would be blocked because:\n${lines.join("\n")}`;
  const up: ConditionInput =
    present < wanted
      ? {
          type: ReplicasCondition.scalingUp,
          status: "True",
          reason: ReplicasReason.scalingUp.scalingUp,
          message: scaleMessage(present, wanted, lines, blockers.length > 0),
        }
      : {
          type: ReplicasCondition.scalingUp,
          status: "False",
          reason: ReplicasReason.scalingUp.notScalingUp,
          message: idle,
        };
  const down: ConditionInput =
    present > wanted
      ? {
          type: ReplicasCondition.scalingDown,
          status: "True",
          reason: ReplicasReason.scalingDown.scalingDown,
          message: scaleMessage(present, wanted, [stale], false),
        }
      : { type: ReplicasCondition.scalingDown, status: "False", reason: ReplicasReason.scalingDown.notScalingDown };
  return [up, down];
};

/** Deleting of what has replicas: how many Machines it still waits for. */
export const deletingReplicas = (input: {
  readonly deleting: boolean;
  readonly machines: number;
  readonly stale: string;
}): ConditionInput => {
  const type = ReplicasCondition.deleting;
  if (!input.deleting) return { type, status: "False", reason: ReplicasReason.deleting.notDeleting };
  const message =
    input.machines === 0 ? "Deletion completed" : `Deleting ${input.machines} Machine${input.machines > 1 ? "s" : ""}`;
  return {
    type,
    status: "True",
    reason: ReplicasReason.deleting.deleting,
    message: input.stale === "" ? message : `${message} and\n${input.stale}`,
  };
};

const isVersion = (reason: string): number => Number(reason.startsWith("Version "));

/** RollingOut: how many replicas are not as they should be, and what sets them apart, changes of version first. */
export const rollingOutReplicas = (count: number, reasons: readonly string[]): ConditionInput => {
  const type = ReplicasCondition.rollingOut;
  if (count === 0) return { type, status: "False", reason: ReplicasReason.rollingOut.notRollingOut };
  const lines = [...new Set(reasons)].sort((a, b) => isVersion(b) - isVersion(a)).map((reason) => `* ${reason}`);
  const head = `Rolling out ${count} not up-to-date replicas`;
  return { type, status: "True", reason: ReplicasReason.rollingOut.rollingOut, message: [head, ...lines].join("\n") };
};

/** UpToDate of a Machine: what would have to be replaced. */
export const upToDateCondition = (reasons: readonly string[]): ConditionInput =>
  reasons.length === 0
    ? { type: MachineCondition.upToDate, status: "True", reason: UpToDateReason.upToDate }
    : {
        type: MachineCondition.upToDate,
        status: "False",
        reason: UpToDateReason.notUpToDate,
        message: reasons.map((reason) => `* ${reason}`).join("\n"),
      };

/** Remediating: Machines that are replaced because they are unhealthy. `by`: the kind that would replace them. */
export const remediating = (machines: readonly Machine[], by?: string): ConditionInput => {
  const type = ReplicasCondition.remediating;
  const unhealthy = machines.filter(
    (machine) => findCondition(machine, MachineCondition.ownerRemediated)?.status === "False",
  );
  if (unhealthy.length === 0) {
    const left = machines.filter(
      (machine) => findCondition(machine, MachineCondition.healthCheckSucceeded)?.status === "False",
    );
    const reason = ReplicasReason.remediating.notRemediating;
    if (left.length === 0) return { type, status: "False", reason };
    const whose = `(not to be remediated${by === undefined ? "" : ` by ${by}`})`;
    const message = `Machine${left.length > 1 ? "s" : ""} ${nameList(left)} ${left.length > 1 ? "are" : "is"} not healthy ${whose}`;
    return { type, status: "False", reason, message };
  }
  return {
    type,
    status: "True",
    reason: ReplicasReason.remediating.remediating,
    message:
      aggregate(
        unhealthy.map((machine) => member(machine, MachineCondition.ownerRemediated)),
        {
          source: MachineCondition.ownerRemediated,
          target: { type, reasons: { True: type, False: type, Unknown: type } },
          noneReason: ReplicasReason.remediating.notRemediating,
        },
      ).message ?? "",
  };
};

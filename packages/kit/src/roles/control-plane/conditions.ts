import type { ConditionInput } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { isBeingDeleted } from "@capstan/kube-values";
import type { Verdict } from "../../engine/conditions.ts";
import { standardConditions, wasReady } from "../../engine/conditions.ts";
import {
  machinesReady,
  machinesUpToDate,
  remediating,
  rollingOutReplicas,
  scalingConditions,
  staleMachinesMessage,
} from "../../machines/conditions.ts";
import type { Machine } from "../../machines/machine.ts";
import { findCondition, isConditionTrue } from "../../objects/conditions.ts";
import type { Round } from "./surroundings.ts";
import { ControlPlaneCondition, ControlPlaneReason } from "./reasons.ts";
import { ReplicasCondition, ReplicasReason } from "../../machines/condition-names.ts";

const bullets = (reasons: readonly string[]): string => reasons.map((reason) => `* ${reason}`).join("\n");

/** Available: the API server serves. Nothing is said while the author could not look. */
const available = (
  { health, initialized, machines }: Round,
  facts: { readonly deleting: boolean; readonly observed: boolean },
): readonly ConditionInput[] => {
  const type = ControlPlaneCondition.available;
  const no = (message: string): readonly ConditionInput[] => [
    { type, status: "False", reason: ControlPlaneReason.notAvailable, message },
  ];
  if (!initialized) return no("Control plane not yet initialized");
  if (facts.deleting) return no(bullets(["Control plane is being deleted"]));
  if (facts.observed && health === undefined) return [];
  const nothing = machines.some((machine) => isConditionTrue(machine, "Available"))
    ? []
    : ["None of the Machines is available"];
  const reasons = health?.unavailable ?? nothing;
  return reasons.length === 0 ? [{ type, status: "True", reason: ControlPlaneReason.available }] : no(bullets(reasons));
};

const initialized = (isInitialized: boolean): ConditionInput => {
  const type = ControlPlaneCondition.initialized;
  return isInitialized
    ? { type, status: "True", reason: ControlPlaneReason.initialized }
    : { type, status: "False", reason: ControlPlaneReason.notInitialized };
};

const deleting = (isDeleting: boolean, { deletion }: Round): ConditionInput => {
  const { deleting: type } = ReplicasCondition;
  const reasons = ReplicasReason.deleting;
  const { reason, message } = { reason: reasons.deleting, message: "", ...deletion };
  return isDeleting
    ? { type, status: "True", reason, message }
    : { type, status: "False", reason: reasons.notDeleting };
};

/** Why Machines are out of date, as they say themselves. */
const outdatedReasons = (
  machines: readonly Machine[],
): { readonly count: number; readonly reasons: readonly string[] } => {
  const said = machines.flatMap((machine) => {
    const condition = findCondition(machine, "UpToDate");
    return condition?.status === "False" ? [condition.message] : [];
  });
  const reasons = said.flatMap((message) => message.split("\n").map((line) => line.replace(/^\* /, "")));
  return { count: said.length, reasons: reasons.filter((reason) => reason !== "") };
};

/** All that a control plane says of itself. */
export const controlPlaneConditions = (
  verdict: Verdict,
  facts: {
    readonly object: KubeObject;
    readonly round: Round;
    readonly desired: number | undefined;
    /** The author looks at the cluster that runs. */
    readonly observed: boolean;
    readonly now: number;
  },
): readonly ConditionInput[] => {
  const { object, round, desired, now } = facts;
  const { machines } = round;
  const isDeleting = isBeingDeleted(object);
  const outdated = outdatedReasons(machines);
  const observed = facts.observed && machines.length > 0;
  return [
    ...standardConditions(verdict, wasReady(object)),
    ...available(round, { deleting: isDeleting, observed }),
    initialized(round.initialized),
    machinesReady(machines),
    machinesUpToDate(machines, { now, judged: true }),
    rollingOutReplicas(outdated.count, outdated.reasons),
    ...scalingConditions({
      desired,
      present: machines.length,
      deleting: isDeleting,
      blockers: round.blockers,
      stale: staleMachinesMessage(machines, now),
    }),
    remediating(machines, object.kind),
    deleting(isDeleting, round),
  ];
};

import { type ConditionInput, ConditionType, ConditionReason } from "@capstan/contract/wire";
import { isBeingDeleted, selectorText } from "@capstan/kube-values";
import { findCondition, withConditions, withDeprecated, withStatus } from "@capstan/kit/objects";
import {
  deletingReplicas,
  machinesReady,
  machinesUpToDate,
  remediating,
  rollingOutReplicas,
  scalingConditions,
  staleMachinesMessage,
  sumVersions,
  ReplicasCondition,
} from "@capstan/kit/machines";
import type { Counters } from "@capstan/kit/machines";
import { type MachineDeployment, type MachineSet, MachineDeploymentReason } from "../api.ts";
import { deprecatedCondition } from "../machine-set/status.ts";
import { rolloutBounds } from "@capstan/kube-values";
import { machineDeploymentPhase } from "./phase.ts";
import type { MachineDeploymentScope } from "./scope.ts";
import { currentMachineSet, outdatedReasons } from "../rollout/template-match.ts";

type Sets = readonly MachineSet[];

const total = (sets: Sets, of: (status: NonNullable<MachineSet["status"]>) => number | undefined): number =>
  sets.reduce((sum, { status }) => sum + (status === undefined ? 0 : (of(status) ?? 0)), 0);

const countersOf = (sets: Sets): Counters => ({
  replicas: total(sets, ({ replicas }) => replicas),
  readyReplicas: total(sets, ({ readyReplicas }) => readyReplicas),
  availableReplicas: total(sets, ({ availableReplicas }) => availableReplicas),
  upToDateReplicas: total(sets, ({ upToDateReplicas }) => upToDateReplicas),
});

const maxUnavailableOf = ({ spec }: MachineDeployment): number => {
  const strategy = spec.rollout?.strategy;
  return strategy?.type === "OnDelete" ? 0 : rolloutBounds(strategy?.rollingUpdate, spec.replicas ?? 0).maxUnavailable;
};

/** Available: as many replicas as the rollout strategy promises to keep. */
export const availableDeployment = (deployment: MachineDeployment, available: number | undefined): ConditionInput => {
  const type = ConditionType.available;
  const { replicas } = deployment.spec;
  if (replicas === undefined) {
    return {
      type,
      status: "Unknown",
      reason: MachineDeploymentReason.available.waitingForReplicasSet,
      message: "Waiting for spec.replicas set",
    };
  }
  if (available === undefined) {
    const message = "Waiting for status.availableReplicas set";
    return {
      type,
      status: "Unknown",
      reason: MachineDeploymentReason.available.waitingForAvailableReplicasSet,
      message,
    };
  }
  const required = replicas - maxUnavailableOf(deployment);
  if (available >= required) return { type, status: "True", reason: MachineDeploymentReason.available.available };
  const because = isBeingDeleted(deployment) ? "; the MachineDeployment is being deleted" : "";
  const message = `${available} available replicas, at least ${required} required (spec.replicas is ${replicas})${because}`;
  return { type, status: "False", reason: MachineDeploymentReason.available.notAvailable, message };
};

/** RollingOut: replicas of older templates, and what sets them apart. */
export const rollingOut = (deployment: MachineDeployment, old: Sets, now: number): ConditionInput => {
  const outdated = old.filter(({ status }) => (status?.replicas ?? 0) > 0);
  const count = total(outdated, ({ replicas }) => replicas);
  return rollingOutReplicas(
    count,
    outdated.flatMap((set) => outdatedReasons(set, deployment, now)),
  );
};

const deprecatedConditions = (deployment: MachineDeployment, hasSet: boolean): readonly ConditionInput[] => {
  const available = findCondition(deployment, ConditionType.available);
  const isAvailable = deprecatedCondition(
    "Available",
    available?.status === "True",
    "WaitingForAvailableMachines",
    available?.message,
  );
  const set = deprecatedCondition("MachineSetReady", hasSet, "WaitingForMachineSetFallback");
  const first = [isAvailable, set].find(({ status }) => status === "False");
  return [first === undefined ? deprecatedCondition("Ready", true, "") : { ...first, type: "Ready" }, isAvailable, set];
};

/** Why a set cannot make its Machines, as it says itself. */
const blockersOf = (set: MachineSet): readonly string[] => {
  const { status, message = "" } = findCondition(set, ReplicasCondition.scalingUp) ?? {};
  if (status !== "True" || !message.includes("is blocked because")) return [];
  const [, ...lines] = message.split("\n");
  return lines.map((line) => line.replace(/^\* /, ""));
};

/** The deployment with its status as the reconcile found things. */
export const machineDeploymentStatus = (
  scope: MachineDeploymentScope,
  outcome: { readonly failed: boolean },
): MachineDeployment => {
  const { context, sets, machines } = scope;
  const now = context.clock.now();
  const deleting = isBeingDeleted(scope.deployment);
  const counters = countersOf(sets);
  const current = currentMachineSet(scope.deployment, sets, now);
  const stale = staleMachinesMessage(machines, now);
  const { replicas } = scope.deployment.spec;
  let deployment = withStatus(scope.deployment, {
    ...counters,
    selector: selectorText(scope.deployment.spec.selector),
    versions: sumVersions(sets.flatMap(({ status }) => status?.versions ?? [])),
    phase: machineDeploymentPhase(scope.deployment, sets),
  });
  const old = sets.filter((set) => set !== current);
  const blockers = [...scope.blockers, ...sets.flatMap(blockersOf)];
  deployment = withConditions(
    deployment,
    [
      availableDeployment(deployment, sets.length === 0 ? undefined : counters.availableReplicas),
      machinesReady(machines),
      machinesUpToDate(machines, { now, judged: true }),
      rollingOut(deployment, old, now),
      ...scalingConditions({ desired: replicas, present: counters.replicas, deleting, blockers, stale }),
      remediating(machines, "MachineDeployment"),
      { type: ConditionType.paused, status: "False", reason: ConditionReason.notPaused },
      deletingReplicas({ deleting, machines: machines.length, stale }),
    ],
    now,
  );
  const fields = {
    updatedReplicas: counters.upToDateReplicas,
    readyReplicas: counters.readyReplicas,
    availableReplicas: counters.availableReplicas,
    unavailableReplicas: Math.max(0, (replicas ?? 0) - counters.availableReplicas),
  };
  deployment = withDeprecated(deployment, deprecatedConditions(deployment, current !== undefined), fields, now);
  return outcome.failed || deployment.metadata.generation === undefined
    ? deployment
    : withStatus(deployment, { observedGeneration: deployment.metadata.generation });
};

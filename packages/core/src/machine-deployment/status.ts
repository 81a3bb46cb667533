import { type ConditionInput, ConditionType, ConditionReason } from "@capstan/contract/wire";
import { isBeingDeleted, selectorText } from "@capstan/kube-values";
import {
  blockersIn,
  deletingReplicas,
  machinesReady,
  machinesUpToDate,
  remediating,
  rollingOutReplicas,
  scalingConditions,
  staleMachinesMessage,
  sumVersions,
  withConditions,
  withDeprecated,
  withStatus,
} from "@capstan/kit/machines";
import type { Counters } from "@capstan/kit/machines";
import { type MachineDeployment, type MachineSet, MachineDeploymentReason } from "../api.ts";
import { rolloutBounds } from "@capstan/kube-values";
import { machineDeploymentPhase } from "./phase.ts";
import { olderAfter, olderFalse, olderMirror, olderSummary, olderTrue } from "../older/summary.ts";
import type { MachineDeploymentScope } from "./scope.ts";
import { currentMachineSet, outdatedReasons } from "../rollout/template-match.ts";

type Sets = readonly MachineSet[];

const total = (sets: Sets, of: (status: NonNullable<MachineSet["status"]>) => number | undefined): number =>
  sets.reduce((sum, { status }) => sum + (status === undefined ? 0 : (of(status) ?? 0)), 0);

type OlderCounters = NonNullable<NonNullable<NonNullable<MachineSet["status"]>["deprecated"]>["v1beta1"]>;

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
  const bound = maxUnavailableOf(deployment);
  const required = replicas - bound;
  if (available >= required) return { type, status: "True", reason: MachineDeploymentReason.available.available };
  const by =
    deployment.spec.rollout?.strategy?.type === "OnDelete"
      ? ""
      : ` (spec.strategy.rollout.maxUnavailable is ${bound}, spec.replicas is ${replicas})`;
  const message = isBeingDeleted(deployment)
    ? "Deletion in progress"
    : `${available} available replicas, at least ${required} required${by}`;
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

const deprecatedConditions = (
  deployment: MachineDeployment,
  current: MachineSet | undefined,
  { availableReplicas }: { readonly availableReplicas: number },
): readonly ConditionInput[] => {
  const required = (deployment.spec.replicas ?? 0) - maxUnavailableOf(deployment);
  const shown = deployment.status?.availableReplicas ?? 0;
  const message = `Minimum availability requires ${required} replicas, current ${shown} available`;
  const available =
    availableReplicas >= required
      ? olderTrue("Available")
      : olderFalse("Available", "Warning", "WaitingForAvailableMachines", message);
  const waiting = "WaitingForMachineSet";
  const set =
    current === undefined
      ? olderFalse("MachineSetReady", "Info", waiting, "MachineSet not found")
      : olderMirror("MachineSetReady", current, { done: false, waiting });
  const ready = olderSummary(olderAfter(deployment, [available], ["Available"]));
  return [...(ready === undefined ? [] : [ready]), available, set];
};

/** Sums the `v1beta1` counters that each set reports for itself. */
const olderCounters = (sets: Sets, current: MachineSet | undefined) => {
  const sum = (of: (counted: OlderCounters) => number | undefined): number =>
    sets.reduce((sum, { status }) => sum + (of(status?.deprecated?.v1beta1 ?? {}) ?? 0), 0);
  const availableReplicas = sum((counted) => counted.availableReplicas);
  return {
    updatedReplicas: current?.status?.replicas ?? 0,
    readyReplicas: sum((counted) => counted.readyReplicas),
    availableReplicas,
    unavailableReplicas: Math.max(0, sets.reduce((all, { spec }) => all + (spec.replicas ?? 0), 0) - availableReplicas),
  };
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
  const blockers = [...new Set([...scope.blockers, ...sets.flatMap(blockersIn)])];
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
  const older = olderCounters(sets, current);
  deployment = withDeprecated(deployment, deprecatedConditions(deployment, current, older), older, now);
  return outcome.failed || deployment.metadata.generation === undefined
    ? deployment
    : withStatus(deployment, { observedGeneration: deployment.metadata.generation });
};

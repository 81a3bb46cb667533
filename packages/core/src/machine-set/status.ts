import { controllerOf, ConditionReason, ConditionType } from "@capstan/contract/wire";
import type { ConditionInput } from "@capstan/contract/wire";
import { isBeingDeleted, selectorText } from "@capstan/kube-values";
import { findCondition, withConditions, withDeprecated, withStatus } from "@capstan/kit/objects";
import {
  countMachines,
  deletingReplicas,
  machineVersions,
  machinesReady,
  machinesUpToDate,
  remediating,
  scalingConditions,
  staleMachinesMessage,
  ReplicasCondition,
  ReplicasReason,
} from "@capstan/kit/machines";
import type { Counters } from "@capstan/kit/machines";
import { MachineDeployment } from "../api.ts";
import type { MachineSet } from "../api.ts";
import { countFullyLabelled } from "./counters.ts";
import type { Blocker, MachineSetScope } from "./scope.ts";

/** A condition of today under its older type and reason. */
export const deprecatedCondition = (type: string, ok: boolean, reason: string, message = ""): ConditionInput =>
  ok ? { type, status: "True", reason: "" } : { type, status: "False", severity: "Warning", reason, message };

const deprecatedConditions = (
  set: MachineSet,
  counters: Counters,
  blockers: readonly Blocker[],
): readonly ConditionInput[] => {
  const desired = set.spec.replicas ?? 0;
  const created = deprecatedCondition(
    "MachinesCreated",
    blockers.length === 0,
    blockers[0]?.olderReason ?? "",
    blockers.map(({ message }) => message).join("; "),
  );
  const resized = deprecatedCondition(
    "Resized",
    counters.replicas === desired,
    counters.replicas < desired ? ReplicasCondition.scalingUp : ReplicasCondition.scalingDown,
    findCondition(set, counters.replicas < desired ? ReplicasCondition.scalingUp : ReplicasCondition.scalingDown)
      ?.message,
  );
  const ready = findCondition(set, ReplicasCondition.machinesReady);
  const machines = deprecatedCondition(
    "MachinesReady",
    ready?.status === "True",
    ready?.reason ?? ReplicasReason.machinesReady.notReady,
    ready?.message,
  );
  const first = [created, resized, machines].find(({ status }) => status === "False");
  const summary: ConditionInput =
    first === undefined ? deprecatedCondition("Ready", true, "") : { ...first, type: "Ready" };
  return [summary, created, machines, resized];
};

/** The set with its status as the reconcile found things. */
export const machineSetStatus = (scope: MachineSetScope, outcome: { readonly failed: boolean }): MachineSet => {
  const { context, machines } = scope;
  const blockers = scope.blockers.map(({ message }) => message);
  const now = context.clock.now();
  const deleting = isBeingDeleted(scope.set);
  const counters = countMachines(machines);
  const stale = staleMachinesMessage(machines, now);
  const judged = controllerOf(scope.set)?.kind === MachineDeployment.kind;
  let set = withStatus(scope.set, {
    ...counters,
    selector: selectorText(scope.set.spec.selector),
    versions: machineVersions(machines),
  });
  set = withConditions(
    set,
    [
      machinesReady(machines),
      machinesUpToDate(machines, { now, judged }),
      ...scalingConditions({ desired: set.spec.replicas, present: counters.replicas, deleting, blockers, stale }),
      remediating(machines, "MachineSet"),
      { type: ConditionType.paused, status: "False", reason: ConditionReason.notPaused },
      deletingReplicas({ deleting, machines: machines.length, stale }),
    ],
    now,
  );
  const old = {
    fullyLabeledReplicas: countFullyLabelled(machines, scope.set.spec.template),
    readyReplicas: counters.readyReplicas,
    availableReplicas: counters.availableReplicas,
  };
  set = withDeprecated(set, deprecatedConditions(set, counters, scope.blockers), old, now);
  return outcome.failed || set.metadata.generation === undefined
    ? set
    : withStatus(set, { observedGeneration: set.metadata.generation });
};

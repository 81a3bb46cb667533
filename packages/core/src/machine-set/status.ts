import { controllerOf, ConditionReason, ConditionType, v1beta1Parts } from "@capstan/contract/wire";
import type { ConditionInput } from "@capstan/contract/wire";
import { isBeingDeleted, selectorText } from "@capstan/kube-values";
import {
  countMachines,
  deletingReplicas,
  findCondition,
  MachineCondition,
  machinesReady,
  machinesUpToDate,
  machineVersions,
  remediating,
  ReplicasCondition,
  scalingConditions,
  staleMachinesMessage,
  withConditions,
  withDeprecated,
  withStatus,
} from "@capstan/kit/machines";
import type { Machine } from "@capstan/kit/machines";
import { MachineDeployment } from "../api.ts";
import type { MachineSet } from "../api.ts";
import { machineSetConditions } from "../api/machine-set-conditions.ts";
import { olderAfter, olderAggregate, olderFalse, olderSummary, olderTrue } from "../older/summary.ts";
import { countFullyLabelled } from "./counters.ts";
import type { MachineSetScope } from "./scope.ts";

const nodeIsReady = (machine: Machine): boolean =>
  findCondition(machine, MachineCondition.nodeReady)?.status === "True";

/**
 * Returns the counters of `v1beta1`: Machines with a ready Node, and those whose Node has been ready for
 * `minReadySeconds`.
 */
const olderCounters = ({ spec }: MachineSet, machines: readonly Machine[], now: number) => {
  const ready = machines.filter(nodeIsReady);
  const enoughMs = (spec.template.spec.minReadySeconds ?? 0) * 1000;
  const since = (machine: Machine): number =>
    Date.parse(findCondition(machine, MachineCondition.nodeReady)?.lastTransitionTime ?? "");
  return {
    fullyLabeledReplicas: countFullyLabelled(machines, spec.template),
    readyReplicas: ready.length,
    availableReplicas: ready.filter((machine) => enoughMs === 0 || since(machine) + enoughMs <= now).length,
  };
};

/** Returns whether the last change of size is done: it is once as many Machines are there as shall be, and all have their Node. */
const resized = ({ set, sized, machines }: MachineSetScope, readyReplicas: number): readonly ConditionInput[] => {
  const { type } = machineSetConditions.resized;
  const desired = isBeingDeleted(set) ? 0 : (set.spec.replicas ?? 0);
  const said = (way: string): string => `Scaling ${way} MachineSet to ${desired} replicas (actual ${sized})`;
  if (sized < desired) return [olderFalse(type, "Warning", ReplicasCondition.scalingUp, said("up"))];
  if (sized > desired) return [olderFalse(type, "Warning", ReplicasCondition.scalingDown, said("down"))];
  return readyReplicas === machines.length ? [olderTrue(type)] : [];
};

const created = ({ set, sized, blockers }: MachineSetScope): readonly ConditionInput[] => {
  const { type } = machineSetConditions.machinesCreated;
  const [first] = blockers;
  if (first !== undefined) {
    const separator = first.olderReason === "PreflightCheckFailed" ? "; " : "\n";
    return [olderFalse(type, "Error", first.olderReason, blockers.map(({ message }) => message).join(separator))];
  }
  return sized < (set.spec.replicas ?? 0) ? [] : [olderTrue(type)];
};

const counted = v1beta1Parts(machineSetConditions);

const deprecatedConditions = (scope: MachineSetScope, readyReplicas: number): readonly ConditionInput[] => {
  const { set, machines } = scope;
  const ready = machines.length === 0 ? olderTrue("MachinesReady") : olderAggregate("MachinesReady", machines);
  const inputs = [...created(scope), ...resized(scope, readyReplicas), ...(ready === undefined ? [] : [ready])];
  const summary = olderSummary(olderAfter(set, inputs, counted));
  return [...(summary === undefined ? [] : [summary]), ...inputs];
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
  const old = olderCounters(set, machines, now);
  set = withDeprecated(set, deprecatedConditions({ ...scope, set }, old.readyReplicas), old, now);
  return outcome.failed || set.metadata.generation === undefined
    ? set
    : withStatus(set, { observedGeneration: set.metadata.generation });
};

import type { ConditionInput } from "@capstan/contract/wire";
import { ConditionReason, ConditionType } from "@capstan/contract/wire";
import {
  findCondition,
  MachineCondition,
  machinesReady,
  machinesUpToDate,
  remediating,
  ReplicasCondition,
  scalingConditions,
  staleMachinesMessage,
  withConditions,
  withDeprecated,
  withStatus,
} from "@capstan/kit/machines";
import { isBeingDeleted } from "@capstan/kube-values";
import type { Result } from "@capstan/runtime";
import type { MachinePool } from "../api.ts";
import { MachinePoolReason } from "../api/machine-pool-conditions.ts";
import { bootstrapConfigReady, infrastructureReady } from "../machine/conditions.ts";
import { olderFalse, olderTrue } from "../older/summary.ts";
import { poolCounters } from "./counters.ts";
import { machinePoolPhase } from "./phase.ts";
import { asMachine } from "./pool-machine.ts";
import type { MachinePoolScope } from "./scope.ts";

/** Available: as many machines as are wanted. How many may be missing meanwhile, only the infrastructure knows. */
const available = ({ spec, status }: MachinePool): ConditionInput => {
  const type = ConditionType.available;
  const { available: reasons } = MachinePoolReason;
  const { replicas } = spec;
  if (replicas === undefined) {
    const message = "Waiting for spec.replicas set";
    return { type, status: "Unknown", reason: reasons.waitingForReplicasSet, message };
  }
  const count = status?.availableReplicas;
  if (count === undefined && replicas > 0) {
    return { type, status: "Unknown", reason: reasons.unknown, message: "No Node has been seen yet" };
  }
  if ((count ?? 0) >= replicas) return { type, status: "True", reason: reasons.available };
  const message = `${count} available replicas, at least ${replicas} required (spec.replicas is ${replicas})`;
  return { type, status: "False", reason: reasons.notAvailable, message };
};

const deleting = ({ deletion, pool }: MachinePoolScope): ConditionInput => {
  const type = ReplicasCondition.deleting;
  const { deleting: reasons } = MachinePoolReason;
  if (!isBeingDeleted(pool)) return { type, status: "False", reason: reasons.notDeleting };
  return { type, status: "True", reason: deletion?.reason ?? reasons.deleting, message: deletion?.message ?? "" };
};

/** A condition of today under its older type, with the reason that `v1beta1` has while it waits. */
const older = (pool: MachinePool, from: string, to: string, waiting: string): ConditionInput => {
  const condition = findCondition(pool, from);
  return condition?.status === "True" ? olderTrue(to) : olderFalse(to, "Info", waiting, condition?.message);
};

const deprecatedConditions = (pool: MachinePool): readonly ConditionInput[] => {
  const bootstrap = older(pool, MachineCondition.bootstrapConfigReady, "BootstrapReady", "WaitingForDataSecret");
  const infrastructure = older(
    pool,
    MachineCondition.infrastructureReady,
    "InfrastructureReady",
    "WaitingForInfrastructure",
  );
  const { readyReplicas = 0 } = pool.status ?? {};
  const replicas =
    readyReplicas >= (pool.spec.replicas ?? 0)
      ? olderTrue("ReplicasReady")
      : olderFalse("ReplicasReady", "Info", "WaitingForReplicasReady");
  const parts = [bootstrap, infrastructure, replicas];
  const first = parts.find(({ status }) => status === "False");
  return [first === undefined ? olderTrue("Ready") : { ...first, type: "Ready" }, ...parts];
};

/** The pool's counters; what cannot be counted now stays as it was. */
const counted = (scope: MachinePoolScope, now: number): { readonly pool: MachinePool; readonly result: Result } => {
  const { machineKind, machines, nodes, pool } = scope;
  const hasMachines = machineKind !== undefined || machines.length > 0;
  const counters = poolCounters(pool, { machines: hasMachines ? machines : undefined, nodes }, now);
  if (counters === undefined) return { pool, result: {} };
  const { remainingMs, ...status } = counters;
  return {
    pool: withStatus(pool, status),
    result: remainingMs === undefined ? {} : { requeueAfterMs: remainingMs },
  };
};

const allConditions = (scope: MachinePoolScope, pool: MachinePool, now: number): readonly ConditionInput[] => {
  const { machineKind, machines } = scope;
  const machine = asMachine(pool);
  const stale = staleMachinesMessage(machines, now);
  const ofMachines =
    machineKind === undefined && machines.length === 0
      ? []
      : [machinesReady(machines), machinesUpToDate(machines, { now, judged: true }), remediating(machines)];
  return [
    available(pool),
    bootstrapConfigReady(machine, scope.bootstrap, "spec.template.spec"),
    infrastructureReady(machine, scope.infrastructure, "spec.template.spec"),
    ...ofMachines,
    ...scalingConditions({
      desired: pool.spec.replicas,
      present: pool.status?.replicas ?? 0,
      deleting: isBeingDeleted(pool),
      blockers: [],
      stale,
    }),
    { type: ConditionType.paused, status: "False", reason: ConditionReason.notPaused },
    deleting(scope),
  ];
};

/** The pool with its status as the reconcile found things: counters, phase, conditions of both generations. */
export const machinePoolStatus = (
  scope: MachinePoolScope,
  outcome: { readonly failed: boolean },
): { readonly object: MachinePool; readonly result: Result } => {
  const now = scope.context.clock.now();
  const { pool: withCounters, result } = counted(scope, now);
  let pool = withStatus(withCounters, { phase: machinePoolPhase(withCounters) });
  pool = withConditions(pool, allConditions(scope, pool, now), now);
  const { availableReplicas = 0, readyReplicas = 0 } = pool.status ?? {};
  const fields = {
    readyReplicas,
    availableReplicas,
    unavailableReplicas: Math.max(0, (pool.spec.replicas ?? 0) - availableReplicas),
    ...scope.failure,
  };
  pool = withDeprecated(pool, deprecatedConditions(pool), fields, now);
  if (!outcome.failed && pool.metadata.generation !== undefined) {
    pool = withStatus(pool, { observedGeneration: pool.metadata.generation });
  }
  return { object: pool, result };
};

import { rfc3339 } from "@capstan/contract";
import { controllerOf, ConditionReason, ConditionType } from "@capstan/contract/wire";
import type { ConditionInput } from "@capstan/contract/wire";
import { keyOf } from "@capstan/kube-values";
import type { Result } from "@capstan/runtime";
import {
  findCondition,
  MachineCondition,
  upToDateCondition,
  withConditions,
  withDeprecated,
  withStatus,
} from "@capstan/kit/machines";
import { type Machine, MachineReason } from "../api.ts";
import { MachineDeployment, MachinePool, MachineSet } from "../api.ts";
import { outdatedInPool } from "../rollout/outdated-in-pool.ts";
import { outdatedReasons } from "../rollout/template-match.ts";
import { sooner } from "../object/steps.ts";
import {
  availableCondition,
  bootstrapConfigReady,
  bootstrapSucceeded,
  deletingCondition,
  infrastructureReady,
  readyCondition,
} from "./conditions.ts";
import { deprecatedMachineConditions } from "./deprecated-conditions.ts";
import { nodeConditions } from "./node-conditions.ts";
import { olderFailure } from "../older/failure.ts";
import { machinePhase } from "./phase.ts";
import type { MachineScope } from "./scope.ts";

/** UpToDate is the Machine controller's for Machines of a deployment or a pool, and their control plane's for the others. */
const upToDate = (scope: MachineScope): readonly ConditionInput[] => {
  const { context, machine } = scope;
  const namespace = machine.metadata.namespace ?? "";
  const setOwner = controllerOf(machine);
  if (setOwner?.kind === MachinePool.kind) {
    const pool = context.cache.get(MachinePool, { namespace, name: setOwner.name });
    return pool === undefined ? [] : [upToDateCondition(outdatedInPool(machine, pool, scope.infrastructure))];
  }
  const set =
    setOwner?.kind === MachineSet.kind ? context.cache.get(MachineSet, { namespace, name: setOwner.name }) : undefined;
  const owner = set === undefined ? undefined : controllerOf(set);
  if (set === undefined || owner?.kind !== MachineDeployment.kind) return [];
  const deployment = context.cache.get(MachineDeployment, { namespace, name: owner.name });
  if (deployment === undefined) return [];
  return [upToDateCondition(outdatedReasons(set, deployment, context.clock.now()))];
};

const withPhase = (machine: Machine, now: number): Machine => {
  const phase = machinePhase(machine);
  return machine.status?.phase === phase ? machine : withStatus(machine, { phase, lastUpdated: rfc3339(now) });
};

const after = ({ remainingMs }: { readonly remainingMs?: number }): Result =>
  remainingMs === undefined ? {} : { requeueAfterMs: remainingMs };

/**
 * The whole status of the Machine as the reconcile found things: phase and conditions of both generations. With a
 * requeue when a condition will change with time alone.
 */
export const machineStatus = (
  scope: MachineScope,
  outcome: { readonly failed: boolean },
): { readonly object: Machine; readonly result: Result } => {
  const { cluster, context, workload, options } = scope;
  const now = context.clock.now();
  const node = nodeConditions({
    machine: scope.machine,
    cluster,
    node: scope.node,
    lastProbeSuccess: scope.node.state === "unreachable" ? workload.lastProbeSuccess(keyOf(cluster)) : undefined,
    since: scope.since,
    graceMs: options.remoteConditionsGraceMs,
    now,
  });
  const own: readonly ConditionInput[] = [
    ...upToDate(scope),
    bootstrapConfigReady(scope.machine, scope.bootstrap),
    infrastructureReady(scope.machine, scope.infrastructure),
    ...bootstrapSucceeded(scope.infrastructure),
    ...node.conditions,
    { type: MachineCondition.updating, status: "False", reason: MachineReason.updating.notUpdating },
    { type: ConditionType.paused, status: "False", reason: ConditionReason.notPaused },
    deletingCondition(scope.machine, scope.deletion),
  ];
  let machine = withConditions(scope.machine, own, now);
  machine = withConditions(machine, [readyCondition(machine, machine.status?.conditions ?? [], now)], now);
  const available = availableCondition(machine, findCondition(machine, MachineCondition.ready), now);
  machine = withConditions(machine, [available.condition], now);
  machine = withDeprecated(
    machine,
    deprecatedMachineConditions({ ...scope, machine }),
    scope.failure ?? olderFailure([scope.infrastructure, scope.bootstrap]),
    now,
  );
  machine = withPhase(machine, now);
  if (!outcome.failed && machine.metadata.generation !== undefined) {
    machine = withStatus(machine, { observedGeneration: machine.metadata.generation });
  }
  return { object: machine, result: sooner(after(available), after(node)) };
};

import { MachineReason } from "../api.ts";
import type { ConditionInput } from "@capstan/contract/wire";
import type { Result } from "@capstan/runtime";
import {
  deleteMachines,
  type Machine,
  MachineCondition,
  withConditions,
  withDeprecated,
  withoutConditions,
} from "@capstan/kit/machines";
import { makingOf } from "./maker.ts";
import { preflight, preflightRetryMs } from "./run-preflight.ts";
import { maxInFlight, planRemediation } from "./remediation-plan.ts";
import type { MachineSetScope } from "./scope.ts";

const type = MachineCondition.ownerRemediated;

const save = async (scope: MachineSetScope, machine: Machine, wanted: Machine): Promise<void> => {
  const saved = await scope.machineSaver.saveStatus(machine, wanted, scope.context);
  scope.machines = scope.machines.map((entry) => (entry === machine ? saved : entry));
};

/** Says on the Machine what becomes of the request to replace it; `older` is the same for `v1beta1`. */
const tell = async (
  scope: MachineSetScope,
  machines: readonly Machine[],
  condition: { readonly reason: string; readonly message: string },
  older: readonly ConditionInput[] = [],
): Promise<void> => {
  const now = scope.context.clock.now();
  for (const machine of machines) {
    const told = withConditions(machine, [{ type, status: "False", ...condition }], now);
    await save(scope, machine, older.length === 0 ? told : withDeprecated(told, older, {}, now));
  }
};

/**
 * Replaces Machines that a health check asks to have replaced, as many at the same time as the deployment allows. The
 * condition is written before the Machine is deleted: after a crash in between the deletion is made up for.
 */
export const remediateMachines = async (scope: MachineSetScope): Promise<Result> => {
  const { deployment } = scope;
  const isOnDelete = deployment?.spec.rollout?.strategy?.type === "OnDelete";
  const plan = planRemediation({
    machines: scope.machines,
    outgoing: scope.outdated && !isOnDelete,
    maxInFlight: maxInFlight(deployment),
  });
  for (const machine of plan.recovered) await save(scope, machine, withoutConditions(machine, [type]));
  await tell(scope, plan.refused, {
    reason: MachineReason.ownerRemediated.cannotBeRemediated,
    message: "Machine won't be remediated because it is pending removal due to rollout",
  });
  await tell(scope, plan.deferred, {
    reason: MachineReason.ownerRemediated.remediationDeferred,
    message: `Waiting because there are already too many remediations in progress (spec.remediation.maxInFlight is ${deployment?.spec.remediation?.maxInFlight})`,
  });
  if (plan.remediated.length === 0) return {};
  const failures = await preflight(scope);
  if (failures.length > 0) {
    const message = failures.map((failure) => `* ${failure.message}`).join("\n");
    const older = {
      type,
      status: "False",
      severity: "Warning",
      reason: MachineReason.ownerRemediated.waitingForRemediation,
    } as const;
    await tell(scope, plan.remediated, { reason: MachineReason.ownerRemediated.remediationDeferred, message }, [
      { ...older, message: failures.map((failure) => failure.message).join("; ") },
    ]);
    return { requeueAfterMs: preflightRetryMs };
  }
  await tell(
    scope,
    plan.remediated,
    { reason: MachineReason.ownerRemediated.machineDeleting, message: "Machine is deleting" },
    [{ type, status: "True", reason: "" }],
  );
  await deleteMachines(makingOf(scope), plan.remediated);
  return {};
};

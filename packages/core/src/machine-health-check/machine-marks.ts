import { Annotation } from "@capstan/contract";
import type { ConditionInput } from "@capstan/contract/wire";
import {
  findCondition,
  MachineCondition,
  withConditions,
  withDeprecated,
  withoutConditions,
} from "@capstan/kit/machines";
import { type Machine, MachineReason } from "../api.ts";
import type { UnhealthyReason } from "./verdict.ts";

const { externallyRemediated, healthCheckSucceeded, ownerRemediated } = MachineCondition;
const asked = MachineReason.externallyRemediated;
const reasons = MachineReason.healthCheckSucceeded;

/** Reason why a request to another controller failed. */
export type RequestFailure = typeof asked.templateNotFound | typeof asked.requestCreationFailed;

const withHealth = (machine: Machine, input: ConditionInput, older: Partial<ConditionInput>, now: number): Machine =>
  withDeprecated(withConditions(machine, [input], now), [{ ...input, severity: "Warning", ...older }], {}, now);

/** The Machine without a word about its health. */
export const markedUnchecked = (machine: Machine): Machine =>
  withoutConditions(machine, [healthCheckSucceeded, ownerRemediated, externallyRemediated]);

/** The Machine said to be healthy; requests to replace it that no one has followed yet are withdrawn. */
export const markedHealthy = (machine: Machine, now: number): Machine => {
  const input = {
    type: healthCheckSucceeded,
    status: "True",
    reason: MachineReason.healthCheckSucceeded.succeeded,
  } as const;
  const owner = findCondition(machine, ownerRemediated);
  const begun = owner?.status === "False" && owner.reason === MachineReason.ownerRemediated.machineDeleting;
  return withHealth(
    withoutConditions(machine, begun ? [externallyRemediated] : [ownerRemediated, externallyRemediated]),
    input,
    { reason: "" },
    now,
  );
};

/** The Machine said to be unhealthy, whatever is done about it. */
export const markedUnhealthy = (
  machine: Machine,
  { reason, messages }: { readonly reason: UnhealthyReason; readonly messages: readonly string[] },
  now: number,
): Machine => {
  const failed = (message: string, older: Partial<ConditionInput>): Machine =>
    withHealth(
      machine,
      { type: healthCheckSucceeded, status: "False", reason, message: `Health check failed:${message}` },
      older,
      now,
    );
  if (reason === reasons.hasRemediateAnnotation) {
    return failed(` marked for remediation via ${Annotation.remediateMachine} annotation`, {
      reason: MachineReason.older.hasRemediateAnnotation,
      message: messages.join("; "),
    });
  }
  return failed(
    messages.map((message) => `\n  * ${message}`).join(""),
    reason === reasons.nodeDeleted
      ? { reason: MachineReason.older.nodeNotFound, message: "" }
      : { message: messages.join("; ") },
  );
};

/** The owner of the Machine is asked to replace it. What it already says about that stays. */
export const askedOfOwner = (machine: Machine, now: number): Machine => {
  if (findCondition(machine, ownerRemediated)?.status === "False") return machine;
  const input = {
    type: ownerRemediated,
    status: "False",
    reason: MachineReason.ownerRemediated.waitingForRemediation,
    severity: "Warning",
  } as const;
  const current = { ...input, message: "Waiting for remediation" };
  return withDeprecated(withConditions(machine, [current], now), [input], {}, now);
};

/** Another controller is asked by a request object. What it already says about that stays. */
export const askedOutside = (machine: Machine, now: number): Machine => {
  const before = findCondition(machine, externallyRemediated);
  const failed: readonly string[] = [asked.templateNotFound, asked.requestCreationFailed];
  if (before?.status === "False" && !failed.includes(before.reason)) return machine;
  return withConditions(
    machine,
    [{ type: externallyRemediated, status: "False", reason: asked.waitingForRemediation }],
    now,
  );
};

/** Another controller should be asked and cannot. */
export const notAskedOutside = (machine: Machine, reason: RequestFailure, message: string, now: number): Machine =>
  withConditions(machine, [{ type: externallyRemediated, status: "False", reason, message }], now);

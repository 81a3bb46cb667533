import type { ConditionInput, Severity } from "@capstan/contract/wire";
import type { Failure } from "../engine/failures.ts";
import { provisionedCondition } from "./reasons.ts";

/** Conditions while something is waited for. `provisioned`: it has been built before, so only `Ready` is about this. */
export const waitingConditions = (
  reason: string,
  message: string,
  provisioned: boolean,
  severity: Severity = "Info",
): readonly ConditionInput[] => {
  const ready: ConditionInput = { type: "Ready", status: "False", reason, message, severity };
  return provisioned ? [ready] : [ready, { ...ready, type: provisionedCondition }];
};

/** Conditions after a failure; a passing one says nothing about what was built before. */
export const failureConditions = (failure: Failure, provisioned: boolean): readonly ConditionInput[] =>
  provisioned && !failure.lasting
    ? []
    : waitingConditions(failure.reason, failure.message, provisioned, failure.severity);

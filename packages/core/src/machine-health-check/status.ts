import { type ConditionInput, ConditionReason, ConditionType } from "@capstan/contract/wire";
import {
  findCondition,
  internalError,
  MachineCondition,
  withConditions,
  withDeprecated,
  withoutConditions,
  withStatus,
} from "@capstan/kit/machines";
import { sameJson } from "@capstan/schema";
import { machineHealthCheckConditions } from "../api/machine-health-check-conditions.ts";
import {
  type MachineHealthCheck,
  MachineHealthCheckCondition,
  MachineHealthCheckReason,
  MachineReason,
} from "../api.ts";
import type { RemediationOutcome } from "./remediate.ts";
import type { RequestFailure } from "./machine-marks.ts";
import type { RemediationGate } from "./remediation-gate.ts";
import type { HealthCheckScope, JudgedMachine } from "./scope.ts";

/** A Machine whose cluster does not answer is what it was when it last did. */
export const isHealthy = ({ machine, verdict }: JudgedMachine): boolean =>
  verdict.kind === "healthy" ||
  (verdict.kind === "unknown" && findCondition(machine, MachineCondition.healthCheckSucceeded)?.status === "True");

const remediationAllowed = (gate: RemediationGate): ConditionInput => {
  const type = MachineHealthCheckCondition.remediationAllowed;
  if (gate.state === "unreadable") return { ...internalError(type), message: gate.message };
  return gate.state === "open"
    ? { type, status: "True", reason: MachineHealthCheckReason.remediationAllowed.allowed }
    : {
        type,
        status: "False",
        reason: MachineHealthCheckReason.remediationAllowed.tooManyUnhealthy,
        message: gate.message,
        severity: "Warning",
      };
};

const { externallyRemediated } = MachineReason;
const { templateAvailable, requestAvailable } = machineHealthCheckConditions;
/** Conditions of `v1beta1` for failed requests to other controllers, by the reason of the failure. */
const external: Readonly<Record<RequestFailure, { readonly type: string; readonly reason: string }>> = {
  [externallyRemediated.templateNotFound]: {
    type: templateAvailable.type,
    reason: templateAvailable.reasons.notFound,
  },
  [externallyRemediated.requestCreationFailed]: {
    type: requestAvailable.type,
    reason: requestAvailable.reasons.creationFailed,
  },
};
const externalTypes = Object.values(external).map(({ type }) => type);

/** Requests that could not be made; while all of them can, nothing is said. */
const externalConditions = ({ failedRequests }: RemediationOutcome): readonly ConditionInput[] =>
  failedRequests.map(({ reason, message }) => ({ ...external[reason], status: "False", message, severity: "Error" }));

/** As many names as the field takes. */
const maxTargets = 10_000;

/** The whole status of the check as the reconcile found things. */
export const healthCheckStatus = (scope: HealthCheckScope, outcome: RemediationOutcome): MachineHealthCheck => {
  const { check, judged, gate, context } = scope;
  const now = context.clock.now();
  const targets = judged.slice(0, maxTargets).map(({ machine }) => machine.metadata.name ?? "");
  const allowed = remediationAllowed(gate);
  const conditions: readonly ConditionInput[] = [
    allowed,
    { type: ConditionType.paused, status: "False", reason: ConditionReason.notPaused },
  ];
  const counted = withStatus(check, {
    expectedMachines: judged.length,
    currentHealthy: judged.filter(isHealthy).length,
    remediationsAllowed: gate.state === "unreadable" ? 0 : gate.remaining,
    targets: sameJson(targets, check.status?.targets ?? []) ? check.status?.targets : targets,
    ...(check.metadata.generation === undefined ? {} : { observedGeneration: check.metadata.generation }),
  });
  const failed = externalConditions(outcome);
  const past = externalTypes.filter((type) => failed.every((each) => each.type !== type));
  const older = [allowed, ...failed];
  return withDeprecated(withoutConditions(withConditions(counted, conditions, now), past), older, {}, now);
};

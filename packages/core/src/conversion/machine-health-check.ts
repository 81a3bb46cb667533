import {
  type Move,
  type Shape,
  durationToSeconds,
  each,
  fields,
  statusMoves,
  zeroCounters,
} from "@capstan/kit/admission";
import { isJsonObject } from "@capstan/schema";

const lasting = each(fields([["timeout", "timeoutSeconds", durationToSeconds]]));

const template: Shape = {
  up: (value) =>
    isJsonObject(value) ? { apiVersion: value["apiVersion"], kind: value["kind"], name: value["name"] } : value,
  down: (value, { namespace }) => (isJsonObject(value) && namespace !== undefined ? { ...value, namespace } : value),
};

/** When a Machine is unhealthy and what is done then, in a health check and in a topology. */
export const healthCheckMoves: readonly Move[] = [
  ["unhealthyConditions", "checks.unhealthyNodeConditions", lasting],
  ["unhealthyMachineConditions", "checks.unhealthyMachineConditions", lasting],
  ["nodeStartupTimeout", "checks.nodeStartupTimeoutSeconds", durationToSeconds],
  ["maxUnhealthy", "remediation.triggerIf.unhealthyLessThanOrEqualTo"],
  ["unhealthyRange", "remediation.triggerIf.unhealthyInRange"],
  ["remediationTemplate", "remediation.templateRef", template],
];

export const machineHealthCheckShape = fields([["spec", "spec", fields(healthCheckMoves)], ...statusMoves([])], {
  zeros: zeroCounters(["expectedMachines", "currentHealthy", "remediationsAllowed"]),
});

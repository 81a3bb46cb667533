import { conditionReasons, conditionTable, conditionTypes, replicasConditions } from "@capstan/contract/wire";

/** The conditions of a MachineHealthCheck. */
export const machineHealthCheckConditions = conditionTable({
  remediationAllowed: {
    type: "RemediationAllowed",
    about: "Few enough Machines are unhealthy to remediate them.",
    v1beta1: "RemediationAllowed",
    reasons: { allowed: "RemediationAllowed", tooManyUnhealthy: "TooManyUnhealthy" },
  },
  paused: replicasConditions.paused,
  templateAvailable: {
    type: "ExternalRemediationTemplateAvailable",
    only: "v1beta1",
    v1beta1: "ExternalRemediationTemplateAvailable",
    about: "The template of external remediation exists.",
    reasons: { notFound: "ExternalRemediationTemplateNotFound" },
  },
  requestAvailable: {
    type: "ExternalRemediationRequestAvailable",
    only: "v1beta1",
    v1beta1: "ExternalRemediationRequestAvailable",
    about: "The request for external remediation was created.",
    reasons: { creationFailed: "ExternalRemediationRequestCreationFailed" },
  },
});

/** Condition types of a MachineHealthCheck. */
export const MachineHealthCheckCondition = conditionTypes(machineHealthCheckConditions);

/** Reasons of a MachineHealthCheck's conditions, by the type they belong to. */
export const MachineHealthCheckReason = conditionReasons(machineHealthCheckConditions);

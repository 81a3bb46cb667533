/** Condition types of a MachineHealthCheck. */
export const MachineHealthCheckCondition = { remediationAllowed: "RemediationAllowed" } as const;

/** Reasons of a MachineHealthCheck's conditions, by the type they belong to. */
export const MachineHealthCheckReason = {
  remediationAllowed: { allowed: "RemediationAllowed", tooManyUnhealthy: "TooManyUnhealthy" },
  /** Those that only `v1beta1` has. */
  older: {
    templateNotFound: "ExternalRemediationTemplateNotFound",
    requestCreationFailed: "ExternalRemediationRequestCreationFailed",
  },
} as const;

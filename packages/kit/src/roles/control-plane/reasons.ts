/** Condition types of a control plane, beside those of everything that has replicas. */
export const ControlPlaneCondition = { available: "Available", initialized: "Initialized" } as const;

/** Reasons of a control plane's conditions and Events, beside those of everything that has replicas. */
export const ControlPlaneReason = {
  available: "Available",
  notAvailable: "NotAvailable",
  initialized: "Initialized",
  notInitialized: "NotInitialized",
  healthy: "Healthy",
  notHealthy: "NotHealthy",
  healthUnknown: "HealthUnknown",
  reconciling: "Reconciling",
  waitingForEndpoint: "WaitingForEndpoint",
  waitingForReplacement: "WaitingForReplacement",
  waitingForQuorum: "WaitingForQuorum",
  waitingForMachineDeletion: "WaitingForMachineDeletion",
  waitingForWorkersDeletion: "WaitingForWorkersDeletion",
  /** Of an Event. */
  adoptionFailed: "AdoptionFailed",
  cannotBeRemediated: "CannotBeRemediated",
  machineDeleting: "MachineDeleting",
  remediationDeferred: "RemediationDeferred",
} as const;

/** Condition types of a Machine, in the order they are stored in. */
export const MachineCondition = {
  available: "Available",
  ready: "Ready",
  upToDate: "UpToDate",
  bootstrapConfigReady: "BootstrapConfigReady",
  infrastructureReady: "InfrastructureReady",
  /** As the infrastructure machine has it. */
  bootstrapSucceeded: "BootstrapSucceeded",
  nodeHealthy: "NodeHealthy",
  nodeReady: "NodeReady",
  healthCheckSucceeded: "HealthCheckSucceeded",
  ownerRemediated: "OwnerRemediated",
  externallyRemediated: "ExternallyRemediated",
  updating: "Updating",
  paused: "Paused",
  deleting: "Deleting",
} as const;

/** Reasons of a Machine's conditions, by the type they belong to. Every type may also have `InternalError`. */
export const MachineReason = {
  available: {
    available: "Available",
    notReady: "NotReady",
    waitingForMinReadySeconds: "WaitingForMinReadySeconds",
  },
  ready: { ready: "Ready", notReady: "NotReady", unknown: "ReadyUnknown" },
  upToDate: { upToDate: "UpToDate", notUpToDate: "NotUpToDate", updating: "Updating" },
  updating: {
    notUpdating: "NotUpdating",
    inPlaceUpdating: "InPlaceUpdating",
    inPlaceUpdateFailed: "InPlaceUpdateFailed",
  },
  bootstrapConfigReady: {
    dataSecretProvided: "DataSecretProvided",
    ready: "Ready",
    notReady: "NotReady",
    invalidCondition: "InvalidConditionReported",
    doesNotExist: "ObjectDoesNotExist",
    deleted: "ObjectDeleted",
  },
  infrastructureReady: {
    ready: "Ready",
    notReady: "NotReady",
    invalidCondition: "InvalidConditionReported",
    doesNotExist: "ObjectDoesNotExist",
    deleted: "ObjectDeleted",
  },
  nodeHealthy: {
    healthy: "NodeHealthy",
    notHealthy: "NodeNotHealthy",
    unknown: "NodeHealthyUnknown",
    doesNotExist: "NodeDoesNotExist",
    deleted: "NodeDeleted",
    inspectionFailed: "InspectionFailed",
    connectionDown: "ConnectionDown",
  },
  nodeReady: {
    ready: "NodeReady",
    notReady: "NodeNotReady",
    unknown: "NodeReadyUnknown",
    doesNotExist: "NodeDoesNotExist",
    deleted: "NodeDeleted",
    inspectionFailed: "InspectionFailed",
    connectionDown: "ConnectionDown",
  },
  healthCheckSucceeded: {
    succeeded: "HealthCheckSucceeded",
    unhealthyNode: "UnhealthyNode",
    unhealthyMachine: "UnhealthyMachine",
    nodeStartupTimeout: "NodeStartupTimeout",
    nodeDeleted: "NodeDeleted",
    hasRemediateAnnotation: "HasRemediateAnnotation",
  },
  ownerRemediated: {
    waitingForRemediation: "WaitingForRemediation",
    cannotBeRemediated: "CannotBeRemediated",
    remediationDeferred: "RemediationDeferred",
    machineDeleting: "MachineDeleting",
  },
  externallyRemediated: {
    waitingForRemediation: "WaitingForRemediation",
    templateNotFound: "RemediationTemplateNotFound",
    requestCreationFailed: "RemediationRequestCreationFailed",
  },
  deleting: {
    notDeleting: "NotDeleting",
    deleting: "Deleting",
    waitingForPreDrainHook: "WaitingForPreDrainHook",
    drainingNode: "DrainingNode",
    waitingForVolumeDetach: "WaitingForVolumeDetach",
    waitingForPreTerminateHook: "WaitingForPreTerminateHook",
    waitingForInfrastructureDeletion: "WaitingForInfrastructureDeletion",
    waitingForBootstrapDeletion: "WaitingForBootstrapDeletion",
    deletingNode: "DeletingNode",
    completed: "DeletionCompleted",
  },
} as const;

/** Reason of any condition when the controller itself failed. */
export const internalError = "InternalError";

/** Reasons of a Machine's conditions, by the type they belong to. Every type may also have `InternalError`. */
export const MachineReason = {
  available: {
    available: "Available",
    notReady: "NotReady",
    waitingForMinReadySeconds: "WaitingForMinReadySeconds",
  },
  updating: { notUpdating: "NotUpdating" },
  bootstrapConfigReady: {
    dataSecretProvided: "DataSecretProvided",
    doesNotExist: "ObjectDoesNotExist",
    deleted: "ObjectDeleted",
  },
  infrastructureReady: { doesNotExist: "ObjectDoesNotExist", deleted: "ObjectDeleted" },
  nodeHealthy: { healthy: "NodeHealthy", notHealthy: "NodeNotHealthy", unknown: "NodeHealthyUnknown" },
  nodeReady: { ready: "NodeReady", notReady: "NodeNotReady", unknown: "NodeReadyUnknown" },
  /** Of both conditions about the Node, when there is none to look at. */
  node: {
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
    waitingForVolumeDetach: "WaitingForVolumeDetach",
    waitingForPreTerminateHook: "WaitingForPreTerminateHook",
    waitingForInfrastructureDeletion: "WaitingForInfrastructureDeletion",
    waitingForBootstrapDeletion: "WaitingForBootstrapDeletion",
    deletingNode: "DeletingNode",
    completed: "DeletionCompleted",
  },
  /** Those that only `v1beta1` has. */
  older: {
    nodeInspectionFailed: "NodeInspectionFailed",
    nodeNotFound: "NodeNotFound",
    hasRemediateAnnotation: "HasRemediateMachineAnnotation",
  },
} as const;

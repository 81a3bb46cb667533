/** Reasons of conditions of a MachinePool. Its other conditions are those of everything that has replicas. */
export const MachinePoolReason = {
  available: {
    available: "Available",
    notAvailable: "NotAvailable",
    waitingForReplicasSet: "WaitingForReplicasSet",
    unknown: "AvailableUnknown",
  },
  deleting: {
    notDeleting: "NotDeleting",
    deleting: "Deleting",
    waitingForMachines: "WaitingForMachinesDeletion",
    waitingForInfrastructure: "WaitingForInfrastructureDeletion",
    waitingForBootstrap: "WaitingForBootstrapDeletion",
    deletingNodes: "DeletingNodes",
    completed: "DeletionCompleted",
  },
} as const;

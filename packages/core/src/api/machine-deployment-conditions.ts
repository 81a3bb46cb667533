/** Reasons of Available of a MachineDeployment. Its other conditions are those of everything that has replicas. */
export const MachineDeploymentReason = {
  available: {
    available: "Available",
    notAvailable: "NotAvailable",
    waitingForReplicasSet: "WaitingForReplicasSet",
    waitingForAvailableReplicasSet: "WaitingForAvailableReplicasSet",
  },
} as const;

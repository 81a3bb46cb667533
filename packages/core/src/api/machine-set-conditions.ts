/** Condition types of a MachineSet. */
export const MachineSetCondition = {
  machinesReady: "MachinesReady",
  machinesUpToDate: "MachinesUpToDate",
  scalingUp: "ScalingUp",
  scalingDown: "ScalingDown",
  remediating: "Remediating",
  paused: "Paused",
  deleting: "Deleting",
} as const;

/** Reasons of conditions that a MachineSet shares with a MachineDeployment, by the type they belong to. */
export const MachineSetReason = {
  machinesReady: { ready: "Ready", notReady: "NotReady", unknown: "ReadyUnknown", noReplicas: "NoReplicas" },
  machinesUpToDate: {
    upToDate: "UpToDate",
    notUpToDate: "NotUpToDate",
    unknown: "UpToDateUnknown",
    noReplicas: "NoReplicas",
  },
  scalingUp: {
    scalingUp: "ScalingUp",
    notScalingUp: "NotScalingUp",
    waitingForReplicasSet: "WaitingForReplicasSet",
  },
  scalingDown: {
    scalingDown: "ScalingDown",
    notScalingDown: "NotScalingDown",
    waitingForReplicasSet: "WaitingForReplicasSet",
  },
  remediating: { remediating: "Remediating", notRemediating: "NotRemediating" },
  deleting: { deleting: "Deleting", notDeleting: "NotDeleting" },
} as const;

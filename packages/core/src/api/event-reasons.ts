/** Reasons of the Events that core records, beside those of everything that makes Machines. */
export const EventReason = {
  clusterDeleted: "Deleted",
  interruptibleLabelSet: "SuccessfulSetInterruptibleNodeLabel",
  markedUnhealthy: "MachineMarkedUnhealthy",
  nodeDrained: "SuccessfulDrainNode",
  nodeForgotten: "DeletedNodeWithoutMachine",
  nodeNotDeleted: "FailedDeleteNode",
  preflightFailed: "PreflightCheckFailed",
  remediationRestricted: "RemediationRestricted",
  volumesDetached: "NodeVolumesDetached",
} as const;

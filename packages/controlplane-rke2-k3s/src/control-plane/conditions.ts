/** Condition types of the Machines of a control plane. */
export const MemberCondition = {
  agent: "AgentHealthy",
  etcd: "EtcdMemberHealthy",
  nodeMetadata: "NodeMetadataUpToDate",
} as const;

/** Condition type of a control plane, beside those of every control plane. */
export const componentsCondition = "ControlPlaneComponentsHealthy";

/** Reasons of these conditions. */
export const Reason = {
  available: "Available",
  notAvailable: "NotAvailable",
  healthy: "Healthy",
  notHealthy: "NotHealthy",
  inspectionFailed: "InspectionFailed",
  deleting: "Deleting",
  upToDate: "UpToDate",
  rollingUpdate: "RollingUpdateInProgress",
  resized: "Resized",
  scalingUp: "ScalingUp",
  scalingDown: "ScalingDown",
  waitingForEtcd: "WaitingForEtcd",
  leadership: "WaitingForLeadershipTransfer",
} as const;

/** Condition types of a Machine, in the order they are stored in. */
export const MachineCondition = {
  available: "Available",
  ready: "Ready",
  upToDate: "UpToDate",
  bootstrapConfigReady: "BootstrapConfigReady",
  infrastructureReady: "InfrastructureReady",
  nodeHealthy: "NodeHealthy",
  nodeReady: "NodeReady",
  healthCheckSucceeded: "HealthCheckSucceeded",
  ownerRemediated: "OwnerRemediated",
  externallyRemediated: "ExternallyRemediated",
  updating: "Updating",
  deleting: "Deleting",
} as const;

/** Reasons of UpToDate of a Machine. */
export const UpToDateReason = { upToDate: "UpToDate", notUpToDate: "NotUpToDate" } as const;

/** Reason of Deleting of a Machine while its Node is drained. */
export const drainingNode = "DrainingNode";

/** Condition types of what has replicas. */
export const ReplicasCondition = {
  machinesReady: "MachinesReady",
  machinesUpToDate: "MachinesUpToDate",
  rollingOut: "RollingOut",
  scalingUp: "ScalingUp",
  scalingDown: "ScalingDown",
  remediating: "Remediating",
  deleting: "Deleting",
} as const;

/** Reasons of those conditions, by the type they belong to. */
export const ReplicasReason = {
  machinesReady: { ready: "Ready", notReady: "NotReady", unknown: "ReadyUnknown", noReplicas: "NoReplicas" },
  machinesUpToDate: {
    upToDate: "UpToDate",
    notUpToDate: "NotUpToDate",
    unknown: "UpToDateUnknown",
    noReplicas: "NoReplicas",
  },
  rollingOut: { rollingOut: "RollingOut", notRollingOut: "NotRollingOut" },
  scaling: { waitingForReplicasSet: "WaitingForReplicasSet" },
  scalingUp: { scalingUp: "ScalingUp", notScalingUp: "NotScalingUp" },
  scalingDown: { scalingDown: "ScalingDown", notScalingDown: "NotScalingDown" },
  remediating: { remediating: "Remediating", notRemediating: "NotRemediating" },
  deleting: { deleting: "Deleting", notDeleting: "NotDeleting" },
} as const;

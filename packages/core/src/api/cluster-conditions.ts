/** Condition types of a Cluster, in the order they are stored in. */
export const ClusterCondition = {
  available: "Available",
  remoteConnectionProbe: "RemoteConnectionProbe",
  infrastructureReady: "InfrastructureReady",
  controlPlaneInitialized: "ControlPlaneInitialized",
  controlPlaneAvailable: "ControlPlaneAvailable",
  controlPlaneMachinesReady: "ControlPlaneMachinesReady",
  controlPlaneMachinesUpToDate: "ControlPlaneMachinesUpToDate",
  workersAvailable: "WorkersAvailable",
  workerMachinesReady: "WorkerMachinesReady",
  workerMachinesUpToDate: "WorkerMachinesUpToDate",
  rollingOut: "RollingOut",
  scalingUp: "ScalingUp",
  scalingDown: "ScalingDown",
  deleting: "Deleting",
} as const;

/** Reasons of a Cluster's conditions, by the type they belong to. Every type may also have `InternalError`. */
export const ClusterReason = {
  available: { available: "Available", notAvailable: "NotAvailable", unknown: "AvailableUnknown" },
  remoteConnectionProbe: { succeeded: "ProbeSucceeded", failed: "ProbeFailed" },
  infrastructureReady: { noReference: "NoInfrastructureReference" },
  /** Of conditions that another object has, while there is none. */
  object: { doesNotExist: "ObjectDoesNotExist", deleted: "ObjectDeleted" },
  controlPlaneInitialized: { initialized: "Initialized", notInitialized: "NotInitialized" },
  controlPlaneAvailable: { available: "Available", notAvailable: "NotAvailable" },
  workersAvailable: {
    available: "Available",
    notAvailable: "NotAvailable",
    unknown: "AvailableUnknown",
    noWorkers: "NoWorkers",
  },
  /** Of the conditions about the Machines of the control plane, and about those of the workers. */
  machinesReady: { ready: "Ready", notReady: "NotReady", unknown: "ReadyUnknown", noReplicas: "NoReplicas" },
  machinesUpToDate: {
    upToDate: "UpToDate",
    notUpToDate: "NotUpToDate",
    unknown: "UpToDateUnknown",
    noReplicas: "NoReplicas",
  },
  rollingOut: { rollingOut: "RollingOut", notRollingOut: "NotRollingOut", unknown: "RollingOutUnknown" },
  scalingUp: { scalingUp: "ScalingUp", notScalingUp: "NotScalingUp", unknown: "ScalingUpUnknown" },
  scalingDown: { scalingDown: "ScalingDown", notScalingDown: "NotScalingDown", unknown: "ScalingDownUnknown" },
  deleting: {
    notDeleting: "NotDeleting",
    waitingForWorkersDeletion: "WaitingForWorkersDeletion",
    waitingForControlPlaneDeletion: "WaitingForControlPlaneDeletion",
    waitingForInfrastructureDeletion: "WaitingForInfrastructureDeletion",
    completed: "DeletionCompleted",
  },
} as const;

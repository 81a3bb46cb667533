/** Condition types of a Cluster, in the order they are stored in. */
export const ClusterCondition = {
  available: "Available",
  topologyReconciled: "TopologyReconciled",
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
  remediating: "Remediating",
  paused: "Paused",
  deleting: "Deleting",
} as const;

const machinesReady = {
  ready: "Ready",
  notReady: "NotReady",
  unknown: "ReadyUnknown",
  noReplicas: "NoReplicas",
} as const;

const machinesUpToDate = {
  upToDate: "UpToDate",
  notUpToDate: "NotUpToDate",
  unknown: "UpToDateUnknown",
  noReplicas: "NoReplicas",
} as const;

/** Reasons of a Cluster's conditions, by the type they belong to. Every type may also have `InternalError`. */
export const ClusterReason = {
  available: { available: "Available", notAvailable: "NotAvailable", unknown: "AvailableUnknown" },
  remoteConnectionProbe: { succeeded: "ProbeSucceeded", failed: "ProbeFailed" },
  infrastructureReady: {
    ready: "Ready",
    notReady: "NotReady",
    invalidCondition: "InvalidConditionReported",
    doesNotExist: "ObjectDoesNotExist",
    deleted: "ObjectDeleted",
  },
  controlPlaneInitialized: { initialized: "Initialized", notInitialized: "NotInitialized" },
  controlPlaneAvailable: {
    available: "Available",
    notAvailable: "NotAvailable",
    invalidCondition: "InvalidConditionReported",
    doesNotExist: "ObjectDoesNotExist",
    deleted: "ObjectDeleted",
  },
  workersAvailable: {
    available: "Available",
    notAvailable: "NotAvailable",
    unknown: "AvailableUnknown",
    noWorkers: "NoWorkers",
  },
  controlPlaneMachinesReady: machinesReady,
  workerMachinesReady: machinesReady,
  controlPlaneMachinesUpToDate: machinesUpToDate,
  workerMachinesUpToDate: machinesUpToDate,
  rollingOut: { rollingOut: "RollingOut", notRollingOut: "NotRollingOut", unknown: "RollingOutUnknown" },
  scalingUp: { scalingUp: "ScalingUp", notScalingUp: "NotScalingUp", unknown: "ScalingUpUnknown" },
  scalingDown: { scalingDown: "ScalingDown", notScalingDown: "NotScalingDown", unknown: "ScalingDownUnknown" },
  remediating: { remediating: "Remediating", notRemediating: "NotRemediating" },
  deleting: {
    notDeleting: "NotDeleting",
    waitingForBeforeDeleteHook: "WaitingForBeforeDeleteHook",
    waitingForWorkersDeletion: "WaitingForWorkersDeletion",
    waitingForControlPlaneDeletion: "WaitingForControlPlaneDeletion",
    waitingForInfrastructureDeletion: "WaitingForInfrastructureDeletion",
    completed: "DeletionCompleted",
  },
  topologyReconciled: {
    succeeded: "ReconcileSucceeded",
    failed: "ReconcileFailed",
    clusterCreating: "ClusterCreating",
    controlPlaneUpgradePending: "ControlPlaneUpgradePending",
    machineDeploymentsCreatePending: "MachineDeploymentsCreatePending",
    machineDeploymentsUpgradePending: "MachineDeploymentsUpgradePending",
    machineDeploymentsUpgradeDeferred: "MachineDeploymentsUpgradeDeferred",
    machinePoolsCreatePending: "MachinePoolsCreatePending",
    machinePoolsUpgradePending: "MachinePoolsUpgradePending",
    machinePoolsUpgradeDeferred: "MachinePoolsUpgradeDeferred",
    lifecycleHookBlocking: "LifecycleHookBlocking",
    clusterUpgrading: "ClusterUpgrading",
    clusterClassNotReconciled: "ClusterClassNotReconciled",
    deleting: "Deleting",
    paused: "Paused",
  },
} as const;

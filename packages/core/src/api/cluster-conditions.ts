import { conditionReasons, conditionTable, conditionTypes } from "@capstan/contract/wire";

/** Reasons of conditions that another object has, while it is missing. */
const noObject = { doesNotExist: "ObjectDoesNotExist", deleted: "ObjectDeleted" } as const;
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

/** The conditions of a Cluster. Available is its summary. */
export const clusterConditions = conditionTable({
  available: {
    type: "Available",
    about: "Everything that counts towards Available and the availability gates is fine.",
    reasons: { available: "Available", notAvailable: "NotAvailable", unknown: "AvailableUnknown" },
  },
  remoteConnectionProbe: {
    type: "RemoteConnectionProbe",
    summary: "always",
    about: "The API server of the workload cluster answers.",
    reasons: { succeeded: "ProbeSucceeded", failed: "ProbeFailed" },
  },
  infrastructureReady: {
    type: "InfrastructureReady",
    summary: "unlessDeleting",
    about: "Mirrors Ready of the infrastructure cluster; True without one.",
    v1beta1: "InfrastructureReady",
    v1beta1Place: 2,
    reasons: { noReference: "NoInfrastructureReference", ...noObject },
  },
  controlPlaneInitialized: {
    type: "ControlPlaneInitialized",
    about: "The API server of the workload cluster was reachable once; stays True.",
    v1beta1: "ControlPlaneInitialized",
    reasons: { initialized: "Initialized", notInitialized: "NotInitialized", ...noObject },
  },
  controlPlaneAvailable: {
    type: "ControlPlaneAvailable",
    summary: "unlessDeleting",
    about: "Mirrors Available of the control plane.",
    v1beta1: "ControlPlaneReady",
    v1beta1Place: 1,
    reasons: { available: "Available", notAvailable: "NotAvailable", ...noObject },
  },
  controlPlaneMachinesReady: {
    type: "ControlPlaneMachinesReady",
    about: "Every control plane Machine is ready.",
    reasons: machinesReady,
  },
  controlPlaneMachinesUpToDate: {
    type: "ControlPlaneMachinesUpToDate",
    about: "Every control plane Machine is up to date.",
    reasons: machinesUpToDate,
  },
  workersAvailable: {
    type: "WorkersAvailable",
    summary: "always",
    about: "Every MachineDeployment and MachinePool is available.",
    reasons: {
      available: "Available",
      notAvailable: "NotAvailable",
      unknown: "AvailableUnknown",
      noWorkers: "NoWorkers",
    },
  },
  workerMachinesReady: { type: "WorkerMachinesReady", about: "Every worker Machine is ready.", reasons: machinesReady },
  workerMachinesUpToDate: {
    type: "WorkerMachinesUpToDate",
    about: "Every worker Machine is up to date.",
    reasons: machinesUpToDate,
  },
  rollingOut: {
    type: "RollingOut",
    negative: true,
    about: "A rollout is in progress.",
    reasons: { rollingOut: "RollingOut", notRollingOut: "NotRollingOut", unknown: "RollingOutUnknown" },
  },
  scalingUp: {
    type: "ScalingUp",
    negative: true,
    about: "Some group of Machines is scaling up.",
    reasons: { scalingUp: "ScalingUp", notScalingUp: "NotScalingUp", unknown: "ScalingUpUnknown" },
  },
  scalingDown: {
    type: "ScalingDown",
    negative: true,
    about: "Some group of Machines is scaling down.",
    reasons: { scalingDown: "ScalingDown", notScalingDown: "NotScalingDown", unknown: "ScalingDownUnknown" },
  },
  paused: {
    type: "Paused",
    negative: true,
    about: "Capstan does not reconcile the Cluster.",
    reasons: { paused: "Paused", notPaused: "NotPaused" },
  },
  deleting: {
    type: "Deleting",
    negative: true,
    summary: "always",
    about: "The Cluster is being deleted; the reason is the stage.",
    reasons: {
      notDeleting: "NotDeleting",
      waitingForWorkersDeletion: "WaitingForWorkersDeletion",
      waitingForControlPlaneDeletion: "WaitingForControlPlaneDeletion",
      waitingForInfrastructureDeletion: "WaitingForInfrastructureDeletion",
      completed: "DeletionCompleted",
    },
  },
  ready: {
    type: "Ready",
    only: "v1beta1",
    v1beta1: "Ready",
    about: "The infrastructure and the control plane are ready.",
  },
});

/** Condition types of a Cluster. */
export const ClusterCondition = conditionTypes(clusterConditions);

/** Reasons of a Cluster's conditions, by the type they belong to. Every type may also have `InternalError`. */
export const ClusterReason = conditionReasons(clusterConditions);

import { conditionTable } from "./condition-table.ts";

const paused = {
  type: "Paused",
  negative: true,
  about: "Capstan does not reconcile the object.",
  reasons: { paused: "Paused", notPaused: "NotPaused" },
} as const;

/** Reasons of both conditions about a Node that cannot be read. */
const noNode = {
  doesNotExist: "NodeDoesNotExist",
  deleted: "NodeDeleted",
  inspectionFailed: "InspectionFailed",
  connectionDown: "ConnectionDown",
} as const;

/** The conditions of a Machine. */
export const machineConditions = conditionTable({
  available: {
    type: "Available",
    about: "The Machine has been ready for `spec.minReadySeconds`.",
    reasons: { available: "Available", notReady: "NotReady", waitingForMinReadySeconds: "WaitingForMinReadySeconds" },
  },
  ready: {
    type: "Ready",
    about: "Everything that counts towards Ready and the readiness gates is fine.",
    v1beta1: "Ready",
    reasons: { ready: "Ready", notReady: "NotReady", unknown: "ReadyUnknown" },
  },
  upToDate: {
    type: "UpToDate",
    about: "The Machine matches the template of its owner.",
    reasons: { upToDate: "UpToDate", notUpToDate: "NotUpToDate" },
  },
  bootstrapConfigReady: {
    type: "BootstrapConfigReady",
    summary: "unlessDeleting",
    about: "Mirrors Ready of the bootstrap config.",
    v1beta1: "BootstrapReady",
    v1beta1Place: 2,
    reasons: { dataSecretProvided: "DataSecretProvided", doesNotExist: "ObjectDoesNotExist", deleted: "ObjectDeleted" },
  },
  infrastructureReady: {
    type: "InfrastructureReady",
    summary: "unlessDeleting",
    about: "Mirrors Ready of the infrastructure machine.",
    v1beta1: "InfrastructureReady",
    v1beta1Place: 1,
    reasons: { doesNotExist: "ObjectDoesNotExist", deleted: "ObjectDeleted" },
  },
  bootstrapSucceeded: {
    type: "BootstrapSucceeded",
    about: "Mirrors BootstrapSucceeded of an infrastructure machine that has it.",
  },
  nodeHealthy: {
    type: "NodeHealthy",
    summary: "unlessDeleting",
    about: "The Node exists, is ready and reports no pressure.",
    v1beta1: "NodeHealthy",
    reasons: { healthy: "NodeHealthy", notHealthy: "NodeNotHealthy", unknown: "NodeHealthyUnknown", ...noNode },
  },
  nodeReady: {
    type: "NodeReady",
    about: "The Node reports Ready.",
    reasons: { ready: "NodeReady", notReady: "NodeNotReady", unknown: "NodeReadyUnknown", ...noNode },
  },
  healthCheckSucceeded: {
    type: "HealthCheckSucceeded",
    summary: "ifReported",
    about: "Every MachineHealthCheck that selects the Machine finds it healthy.",
    v1beta1: "HealthCheckSucceeded",
    v1beta1Place: 3,
    reasons: {
      succeeded: "HealthCheckSucceeded",
      unhealthyNode: "UnhealthyNode",
      unhealthyMachine: "UnhealthyMachine",
      nodeStartupTimeout: "NodeStartupTimeout",
      nodeDeleted: "NodeDeleted",
      hasRemediateAnnotation: "HasRemediateAnnotation",
    },
  },
  ownerRemediated: {
    type: "OwnerRemediated",
    about: "The owner has replaced the unhealthy Machine.",
    v1beta1: "OwnerRemediated",
    v1beta1Place: 4,
    reasons: {
      waitingForRemediation: "WaitingForRemediation",
      cannotBeRemediated: "CannotBeRemediated",
      remediationDeferred: "RemediationDeferred",
      machineDeleting: "MachineDeleting",
    },
  },
  externallyRemediated: {
    type: "ExternallyRemediated",
    about: "An external controller has remediated the unhealthy Machine.",
    reasons: {
      waitingForRemediation: "WaitingForRemediation",
      templateNotFound: "RemediationTemplateNotFound",
      requestCreationFailed: "RemediationRequestCreationFailed",
    },
  },
  updating: {
    type: "Updating",
    negative: true,
    summary: "ifReported",
    about: "The Machine is being updated in place.",
    reasons: { notUpdating: "NotUpdating" },
  },
  paused,
  deleting: {
    type: "Deleting",
    negative: true,
    summary: "always",
    about: "The Machine is being deleted; the reason is the stage.",
    reasons: {
      notDeleting: "NotDeleting",
      deleting: "Deleting",
      waitingForPreDrainHook: "WaitingForPreDrainHook",
      drainingNode: "DrainingNode",
      waitingForVolumeDetach: "WaitingForVolumeDetach",
      waitingForPreTerminateHook: "WaitingForPreTerminateHook",
      waitingForInfrastructureDeletion: "WaitingForInfrastructureDeletion",
      waitingForBootstrapDeletion: "WaitingForBootstrapDeletion",
      deletingNode: "DeletingNode",
      completed: "DeletionCompleted",
    },
  },
  preDrainHookSucceeded: {
    type: "PreDrainDeleteHookSucceeded",
    only: "v1beta1",
    v1beta1: "PreDrainDeleteHookSucceeded",
    about: "No pre-drain hook is left.",
  },
  drainingSucceeded: {
    type: "DrainingSucceeded",
    only: "v1beta1",
    v1beta1: "DrainingSucceeded",
    v1beta1Place: 5,
    about: "The Node is drained.",
  },
  volumeDetachSucceeded: {
    type: "VolumeDetachSucceeded",
    only: "v1beta1",
    v1beta1: "VolumeDetachSucceeded",
    about: "The volumes of the Node are detached.",
  },
  preTerminateHookSucceeded: {
    type: "PreTerminateDeleteHookSucceeded",
    only: "v1beta1",
    v1beta1: "PreTerminateDeleteHookSucceeded",
    about: "No pre-terminate hook is left.",
  },
});

/** The conditions of every kind with replicas: a MachineSet, a MachineDeployment, a MachinePool, a control plane. */
export const replicasConditions = conditionTable({
  machinesReady: {
    type: "MachinesReady",
    about: "Every Machine is ready.",
    v1beta1: "MachinesReady",
    reasons: { ready: "Ready", notReady: "NotReady", unknown: "ReadyUnknown", noReplicas: "NoReplicas" },
  },
  machinesUpToDate: {
    type: "MachinesUpToDate",
    about: "Every Machine is up to date.",
    reasons: { upToDate: "UpToDate", notUpToDate: "NotUpToDate", unknown: "UpToDateUnknown", noReplicas: "NoReplicas" },
  },
  rollingOut: {
    type: "RollingOut",
    negative: true,
    about: "Some Machines are not up to date.",
    reasons: { rollingOut: "RollingOut", notRollingOut: "NotRollingOut" },
  },
  scalingUp: {
    type: "ScalingUp",
    negative: true,
    about: "There are fewer replicas than desired.",
    reasons: { scalingUp: "ScalingUp", notScalingUp: "NotScalingUp", waitingForReplicasSet: "WaitingForReplicasSet" },
  },
  scalingDown: {
    type: "ScalingDown",
    negative: true,
    about: "There are more replicas than desired.",
    reasons: {
      scalingDown: "ScalingDown",
      notScalingDown: "NotScalingDown",
      waitingForReplicasSet: "WaitingForReplicasSet",
    },
  },
  remediating: {
    type: "Remediating",
    negative: true,
    about: "Unhealthy Machines are being replaced.",
    reasons: { remediating: "Remediating", notRemediating: "NotRemediating" },
  },
  paused,
  deleting: {
    type: "Deleting",
    negative: true,
    about: "The object is being deleted.",
    reasons: { deleting: "Deleting", notDeleting: "NotDeleting" },
  },
});

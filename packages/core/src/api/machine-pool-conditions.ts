import { conditionReasons, conditionTable, machineConditions, replicasConditions } from "@capstan/contract/wire";

const { bootstrapConfigReady, infrastructureReady } = machineConditions;

/** The conditions of a MachinePool. */
export const machinePoolConditions = conditionTable({
  available: {
    type: "Available",
    about: "As many replicas are available as desired.",
    reasons: {
      available: "Available",
      notAvailable: "NotAvailable",
      waitingForReplicasSet: "WaitingForReplicasSet",
      unknown: "AvailableUnknown",
    },
  },
  bootstrapConfigReady: { ...bootstrapConfigReady, v1beta1Place: 1 },
  infrastructureReady: {
    ...infrastructureReady,
    about: "Mirrors Ready of the infrastructure machine pool.",
    v1beta1Place: 2,
  },
  ...replicasConditions,
  deleting: {
    ...replicasConditions.deleting,
    about: "The MachinePool is being deleted; the reason is the stage.",
    reasons: {
      notDeleting: "NotDeleting",
      deleting: "Deleting",
      waitingForMachines: "WaitingForMachinesDeletion",
      waitingForInfrastructure: "WaitingForInfrastructureDeletion",
      waitingForBootstrap: "WaitingForBootstrapDeletion",
      deletingNodes: "DeletingNodes",
      completed: "DeletionCompleted",
    },
  },
  replicasReady: {
    type: "ReplicasReady",
    only: "v1beta1",
    v1beta1: "ReplicasReady",
    v1beta1Place: 3,
    about: "As many replicas are ready as desired.",
  },
  ready: { type: "Ready", only: "v1beta1", v1beta1: "Ready", about: "All conditions that count towards it are True." },
});

/** Reasons of a MachinePool's conditions, by the type they belong to. */
export const MachinePoolReason = conditionReasons(machinePoolConditions);

import { conditionReasons, conditionTable, replicasConditions } from "@capstan/contract/wire";

/** The conditions of a MachineDeployment. */
export const machineDeploymentConditions = conditionTable({
  available: {
    type: "Available",
    about: "At least as many replicas are available as the rollout strategy demands.",
    v1beta1: "Available",
    v1beta1Place: 1,
    reasons: {
      available: "Available",
      notAvailable: "NotAvailable",
      waitingForReplicasSet: "WaitingForReplicasSet",
      waitingForAvailableReplicasSet: "WaitingForAvailableReplicasSet",
    },
  },
  ...replicasConditions,
  machineSetReady: {
    type: "MachineSetReady",
    only: "v1beta1",
    v1beta1: "MachineSetReady",
    about: "Mirrors Ready of the current MachineSet.",
  },
  ready: { type: "Ready", only: "v1beta1", v1beta1: "Ready", about: "The MachineDeployment is available." },
});

/** Reasons of a MachineDeployment's conditions, by the type they belong to. */
export const MachineDeploymentReason = conditionReasons(machineDeploymentConditions);

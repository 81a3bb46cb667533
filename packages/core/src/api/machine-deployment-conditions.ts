import { MachineSetCondition, MachineSetReason } from "./machine-set-conditions.ts";

/** Condition types of a MachineDeployment. */
export const MachineDeploymentCondition = {
  available: "Available",
  rollingOut: "RollingOut",
  ...MachineSetCondition,
} as const;

/** Reasons of a MachineDeployment's conditions, by the type they belong to. */
export const MachineDeploymentReason = {
  ...MachineSetReason,
  available: {
    available: "Available",
    notAvailable: "NotAvailable",
    waitingForReplicasSet: "WaitingForReplicasSet",
    waitingForAvailableReplicasSet: "WaitingForAvailableReplicasSet",
  },
  rollingOut: { rollingOut: "RollingOut", notRollingOut: "NotRollingOut" },
} as const;

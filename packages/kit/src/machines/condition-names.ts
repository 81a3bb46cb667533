import { conditionReasons, conditionTypes, machineConditions, replicasConditions } from "@capstan/contract/wire";

/** Condition types of a Machine. */
export const MachineCondition = conditionTypes(machineConditions);

/** Reasons of UpToDate of a Machine. */
export const UpToDateReason = machineConditions.upToDate.reasons;

/** Reason of Deleting of a Machine while its Node is drained. */
export const { drainingNode } = machineConditions.deleting.reasons;

/** Condition types of every kind with replicas. */
export const ReplicasCondition = conditionTypes(replicasConditions);

/** Reasons of those conditions, by the type they belong to. */
export const ReplicasReason = conditionReasons(replicasConditions);

import { type ConditionTable, machineConditions } from "@capstan/contract/wire";
import { clusterConditions } from "./cluster-conditions.ts";
import { machineDeploymentConditions } from "./machine-deployment-conditions.ts";
import { machineHealthCheckConditions } from "./machine-health-check-conditions.ts";
import { machinePoolConditions } from "./machine-pool-conditions.ts";
import { machineSetConditions } from "./machine-set-conditions.ts";

/** The conditions of core's kinds, by kind. */
export const coreConditions: Readonly<Record<string, ConditionTable>> = {
  Cluster: clusterConditions,
  Machine: machineConditions,
  MachineSet: machineSetConditions,
  MachineDeployment: machineDeploymentConditions,
  MachinePool: machinePoolConditions,
  MachineHealthCheck: machineHealthCheckConditions,
};

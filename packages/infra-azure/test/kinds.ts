import type { Kind } from "@capstan/schema";
import {
  AzureCluster,
  AzureClusterIdentity,
  AzureClusterTemplate,
  AzureMachine,
  AzureMachinePool,
  AzureMachinePoolMachine,
  AzureMachineTemplate,
} from "../src/api.ts";

/** All kinds that the provider watches. */
export const azureKinds: readonly Kind[] = [
  AzureCluster,
  AzureClusterIdentity,
  AzureClusterTemplate,
  AzureMachine,
  AzureMachinePool,
  AzureMachinePoolMachine,
  AzureMachineTemplate,
];

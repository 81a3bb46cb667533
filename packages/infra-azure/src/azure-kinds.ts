import { AzureCluster } from "./api/azure-cluster.v1beta1.ts";
import { AzureClusterIdentity } from "./api/azure-cluster-identity.v1beta1.ts";
import { AzureClusterTemplate } from "./api/azure-cluster-template.v1beta1.ts";
import { AzureMachine } from "./api/azure-machine.v1beta1.ts";
import { AzureMachinePool } from "./api/azure-machine-pool.v1beta1.ts";
import { AzureMachinePoolMachine } from "./api/azure-machine-pool-machine.v1beta1.ts";
import { AzureMachineTemplate } from "./api/azure-machine-template.v1beta1.ts";

/** All kinds of the provider. */
export const azureKinds = [
  AzureCluster,
  AzureClusterIdentity,
  AzureClusterTemplate,
  AzureMachine,
  AzureMachinePool,
  AzureMachinePoolMachine,
  AzureMachineTemplate,
] as const;

export { AzureCluster } from "./api/azure-cluster.v1beta1.ts";
export { AzureClusterIdentity } from "./api/azure-cluster-identity.v1beta1.ts";
export { AzureClusterTemplate } from "./api/azure-cluster-template.v1beta1.ts";
export { AzureMachine } from "./api/azure-machine.v1beta1.ts";
export { AzureMachinePool } from "./api/azure-machine-pool.v1beta1.ts";
export { AzureMachinePoolMachine } from "./api/azure-machine-pool-machine.v1beta1.ts";
export { AzureMachineTemplate } from "./api/azure-machine-template.v1beta1.ts";
export { objectStoreAnnotation } from "./api/names.ts";

export { AzureClusterIdentity } from "./api/azure-cluster-identity.v1beta1.ts";

export { installWorkloadClusters } from "./workload/install-workload-clusters.ts";
export { socketTo } from "./workload/loopback.ts";
export { nodeByProviderID, workloadClusters } from "./workload/workload-clusters.ts";
export type { WorkloadCluster, WorkloadClusters, WorkloadEvent, WorkloadState } from "./workload/workload-clusters.ts";
export { kubeconfigConnection } from "./workload/kubeconfig-connection.ts";
export { workloadPermission } from "./workload/workload-account.ts";
export type { WorkloadAccount, WorkloadPermission } from "./workload/workload-account.ts";

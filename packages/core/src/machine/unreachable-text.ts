import type { WorkloadClusters } from "@capstan/kit/workload";
import type { ObjectKey } from "@capstan/kube-values";

/** Why nothing can be done in a workload cluster now. */
export const unreachableText = (workload: WorkloadClusters, cluster: ObjectKey): string =>
  `the workload cluster cannot be reached: ${workload.state(cluster).message}`;

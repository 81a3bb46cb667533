export {
  addresses,
  clusterName,
  count,
  desiredCount,
  deletionProgress,
  gates,
  initialization,
  kubernetesVersion,
  nodeInfo,
  providerID,
  seconds,
  taints,
  templateMetadata,
  v1beta1,
  v1beta2,
  versionCounts,
} from "./fields/machine-parts.ts";
export type { Strictness } from "./fields/machine-parts.ts";
export { deletionTimeouts, olderDeletionTimeouts, readinessGates } from "./fields/machine-settings.ts";
export {
  clusterClassReference,
  contractReference,
  dnsName,
  namespaceName,
  templateReference,
} from "./fields/references.ts";
export type { ContractReference, TemplateReference } from "./fields/references.ts";
export {
  deprecatedStatus,
  legacyFailure,
  looseObservedGeneration,
  newerStatus,
  observedGeneration,
  replicaCounters,
  scaleSelector,
  statusConditions,
} from "./fields/status-parts.ts";

export { claimMachines } from "./machines/claim.ts";
export { completionOf } from "./machines/completion.ts";
export { drainingNode, MachineCondition, ReplicasCondition } from "./machines/condition-names.ts";
export {
  blockersIn,
  deletingReplicas,
  machinesReady,
  machinesUpToDate,
  remediating,
  rollingOutReplicas,
  scalingConditions,
  staleMachinesMessage,
  upToDateCondition,
} from "./machines/conditions.ts";
export { countMachines, machineVersions, sumVersions } from "./machines/counters.ts";
export type { Counters } from "./machines/counters.ts";
export { deleteMachines } from "./machines/delete-machines.ts";
export { delayCauses, drainText } from "./machines/drain-text.ts";
export { MachinesErrorCode } from "./machines/errors.ts";
export { deleteLeftovers } from "./machines/leftovers.ts";
export { machineName } from "./machines/machine-name.ts";
export { Machines } from "./machines/machine.ts";
export type { Machine } from "./machines/machine.ts";
export { makeMachine } from "./machines/make-machine.ts";
export { warnOf } from "./machines/maker.ts";
export type { MachineMaker, Making } from "./machines/maker.ts";
export { incompleteMachines, makeParts, partFromTemplate } from "./machines/parts.ts";
export type { MachineParts } from "./machines/parts.ts";
export { machineSync, syncMachines } from "./machines/sync.ts";
export type { MachineSync } from "./machines/sync.ts";
export { ownTemplate, readTemplate } from "./machines/template.ts";
export { adoptOrphan, isControlledBy } from "./objects/adopt-orphan.ts";
export { createApplier } from "./objects/apply.ts";
export type { Applier } from "./objects/apply.ts";
export { allAtOnce, inSlowStart, throwFirst } from "./objects/at-once.ts";
export { boundContext } from "./objects/bound-client.ts";
export {
  findCondition,
  internalError,
  isConditionTrue,
  readFrom,
  withConditions,
  withDeprecated,
  withoutConditions,
} from "./objects/conditions.ts";
export { listLive } from "./objects/list-live.ts";
export { replaced, withMetadata, withSpec, withStatus } from "./objects/replaced.ts";
export { clonedKind, cloneTemplate } from "./external/clone-template.ts";
export { ExternalErrorCode } from "./external/error-codes.ts";
export { externalObjects } from "./external/external-objects.ts";
export type { ExternalKind, ExternalObject, ExternalObjects } from "./external/external-objects.ts";
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

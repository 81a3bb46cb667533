export { bootstrapConfig, bootstrapFormats, bootstrapSecretKeys } from "./wire/bootstrap-config.ts";
export type { BootstrapConfigFields } from "./wire/bootstrap-config.ts";
export { cluster, isPaused, pauseReasons } from "./wire/cluster.ts";
export {
  conditionReasons,
  conditionTable,
  conditionTypes,
  summaryInputs,
  v1beta1Parts,
} from "./wire/condition-table.ts";
export type { ConditionRow, ConditionTable } from "./wire/condition-table.ts";
export { machineConditions, replicasConditions } from "./wire/machine-conditions.ts";
export {
  bootstrapConditions,
  certificatesAvailable,
  controlPlaneConditions,
  infraClusterConditions,
  infraMachineConditions,
  infraMachinePoolConditions,
  resourceConditions,
} from "./wire/role-conditions.ts";
export { aggregate, mirror, readyTarget, subjectLine, summarize } from "./wire/condition-summary.ts";
export type { AggregateMember, SummaryInput, SummaryTarget } from "./wire/condition-summary.ts";
export {
  ConditionReason,
  ConditionType,
  conditionOf,
  conditionPaths,
  conditionsOf,
  conditionsPatch,
  deprecatedConditionOf,
  deprecatedConditionsOf,
  orderConditions,
  setCondition,
  setDeprecatedCondition,
} from "./wire/conditions.ts";
export type { Condition, ConditionInput, ConditionStatus, DeprecatedCondition, Severity } from "./wire/conditions.ts";
export {
  chooseContract,
  contractLabel,
  contractOfVersion,
  contractVersions,
  crdNameFor,
} from "./wire/contract-version.ts";
export type { ContractChoice, ContractVersion } from "./wire/contract-version.ts";
export { isScaling, isUpgrading } from "./wire/control-plane-state.ts";
export { controlPlane } from "./wire/control-plane.ts";
export type { ControlPlaneFields, VersionCount } from "./wire/control-plane.ts";
export { describeObject } from "./wire/describe.ts";
export { formatEndpoint, isValidEndpoint } from "./wire/endpoint.ts";
export type { Endpoint } from "./wire/endpoint.ts";
export { patchAt, valueAt } from "./wire/field.ts";
export type { Field } from "./wire/field.ts";
export { infraCluster } from "./wire/infra-cluster.ts";
export type { FailureDomain, InfraClusterFields } from "./wire/infra-cluster.ts";
export { infraMachine, infraMachineTemplate, machineAddressTypes } from "./wire/infra-machine.ts";
export type { InfraMachineFields, WireAddress } from "./wire/infra-machine.ts";
export { infraMachinePool } from "./wire/infra-machine-pool.ts";
export type { InfraMachinePoolFields } from "./wire/infra-machine-pool.ts";
export { isPoolComplete, machinePool, poolReplicas } from "./wire/machine-pool.ts";
export { clusterNameOf, isControlPlane, machine } from "./wire/machine.ts";
export { applyPatch, effectivePatch, mergePatches } from "./patch/merge-patch.ts";
export type { MergePatch } from "./patch/merge-patch.ts";
export { controllerOf, ownerOfKind, ownerReference, withOwnerReference } from "./wire/owner.ts";
export { isProgress, longestProgressDelayMs, progressDelayMs } from "./wire/progress.ts";
export { objectReferencePatch, readReference, referencePatch } from "./wire/reference.ts";
export type { ContractReference } from "./wire/reference.ts";
export {
  ClusterResource,
  ConfigMapResource,
  CustomResourceDefinitionResource,
  MachineDeploymentResource,
  MachineDrainRuleResource,
  MachineHealthCheckResource,
  MachinePoolResource,
  MachineResource,
  MachineSetResource,
  NamespaceResource,
  NodeResource,
  SecretResource,
  coreVersion,
} from "./wire/resources.ts";
export { clusterSecretName, clusterSecretProblem } from "./wire/secrets.ts";
export { stageSince, stageText } from "./wire/stage-text.ts";
export type { StageFacts } from "./wire/stage-text.ts";
export { template } from "./wire/template.ts";

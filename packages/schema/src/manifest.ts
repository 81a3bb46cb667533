export { checkKind } from "./check-kind.ts";
export { clusterRoleFor } from "./cluster-role.ts";
export type { ClusterRole, ClusterRoleOptions, PolicyRule } from "./cluster-role.ts";
export { crdOf } from "./crd.ts";
export type { ConversionClientConfig, CrdOptions, CustomResourceDefinition, CustomResourceVersion } from "./crd.ts";

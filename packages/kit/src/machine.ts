export type { ObjectStoreRequest } from "./delivery/object-store-request.ts";
export type { Credentials, SecretRef } from "./engine/credentials.ts";
export { credentialsIn } from "./engine/credentials.ts";
export type { Stage } from "./engine/stages.ts";
export type { Handled, FreeItems, Inventory, Listed, OperationPolling, Writing } from "./engine/author.ts";
export type { Identity } from "./engine/identity.ts";
export type { Operation, Operations, OperationState } from "./engine/operations.ts";
export type { Progress } from "./engine/observation.ts";
export type {
  CreateContext,
  InfraMachineAuthor,
  MachineAddress,
  MachineFacts,
  MachineObservation,
  MachineReport,
  MachineSurroundings,
  MachineVerbContext,
  ReportContext,
} from "./roles/infra-machine/author.ts";
export {
  absent,
  externalDNS,
  externalIP,
  failed,
  hostname,
  internalDNS,
  internalIP,
  pending,
  present,
  removing,
} from "./roles/infra-machine/outcomes.ts";
export { isRecordedCluster, recordedClusterOf } from "./roles/infra-machine/cluster-record.ts";
export type { ClusterParts } from "./roles/infra-machine/cluster-record.ts";
export { infraMachine } from "./roles/infra-machine/infra-machine.ts";
export { wasProvisioned } from "./roles/infra-machine/status.ts";
export { LifeReason } from "./engine/reasons.ts";
export { provisionedCondition, RoleReason } from "./roles/reasons.ts";

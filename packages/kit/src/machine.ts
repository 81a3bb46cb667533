export type { ObjectStoreRequest } from "./delivery/object-store-request.ts";
export type { Credentials, SecretRef } from "./engine/credentials.ts";
export { credentialsIn } from "./engine/credentials.ts";
export type { Stage } from "./engine/stages.ts";
export type { Handled, Writing } from "./engine/author.ts";
export type { Identity } from "./engine/identity.ts";
export type { Operation, OperationState } from "./engine/operations.ts";
export type {
  CreateContext,
  InfraMachineAuthor,
  MachineAddress,
  MachineFacts,
  MachineObservation,
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
export { RoleReason } from "./roles/reasons.ts";
export type {
  InfraMachinePoolAuthor,
  PoolBootstrap,
  PoolFacts,
  PoolMember,
  PoolObservation,
  PoolVerbContext,
  PoolWriting,
} from "./roles/machine-pool/author.ts";
export { infraMachinePool } from "./roles/machine-pool/infra-machine-pool.ts";
export {
  absent as absentPool,
  failed as failedPool,
  pending as pendingPool,
  present as presentPool,
  removing as removingPool,
} from "./roles/machine-pool/outcomes.ts";
export type { BootstrapReport, ReportChannel } from "./report/bootstrap-report.ts";
export { causeOf } from "./report/log-tail.ts";
export { joinedNode } from "./report/joined-node.ts";
export { checkerAnnotation } from "./report/report-request.ts";
export { readReport, uploadedReport } from "./report/uploaded-report.ts";
export { logSecretName } from "./roles/infra-machine/bootstrap-log.ts";

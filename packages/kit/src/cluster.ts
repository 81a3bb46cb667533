export type { Credentials, SecretRef } from "./engine/credentials.ts";
export type { Stage } from "./engine/stages.ts";
export type { Handled, OperationPolling, Writing } from "./engine/author.ts";
export type { Identity } from "./engine/identity.ts";
export type { Operation, Operations, OperationState } from "./engine/operations.ts";
export type { Progress } from "./engine/observation.ts";
export type {
  ClusterFacts,
  ClusterObservation,
  ClusterSurroundings,
  ClusterVerbContext,
  InfraClusterAuthor,
} from "./roles/infra-cluster/author.ts";
export { absent, failed, pending, present, removing } from "./roles/infra-cluster/outcomes.ts";
export { infraCluster } from "./roles/infra-cluster/infra-cluster.ts";
export { ofCluster } from "./roles/resource/of-cluster.ts";
export type { ClusterMember, OfCluster } from "./roles/resource/of-cluster.ts";

export type { Handled, Writing } from "./engine/author.ts";
export type {
  ClusterFacts,
  ClusterObservation,
  ClusterVerbContext,
  InfraClusterAuthor,
} from "./roles/infra-cluster/author.ts";
export { absent, failed, pending, present, removing } from "./roles/infra-cluster/outcomes.ts";
export { infraCluster } from "./roles/infra-cluster/infra-cluster.ts";
export { ofCluster } from "./roles/resource/of-cluster.ts";
export type { ClusterMember } from "./roles/resource/of-cluster.ts";

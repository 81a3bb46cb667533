export type {
  ClusterFacts,
  ClusterObservation,
  ClusterVerbContext,
  Credentials,
  Identity,
  InfraClusterAuthor,
  Progress,
  SecretRef,
  Stage,
} from "./roles/author.ts";
export { absent, failed, pending, present } from "./roles/cluster-outcomes.ts";
export { infraCluster } from "./roles/cluster-shell.ts";

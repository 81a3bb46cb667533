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
} from "./shells/author.ts";
export { absent, failed, pending, present } from "./shells/cluster-outcomes.ts";
export { infraCluster } from "./shells/cluster-shell.ts";

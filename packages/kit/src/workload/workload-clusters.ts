import { CapstanError } from "@capstan/contract";
import type { ServiceKey } from "@capstan/contract/v1";
import type { CacheEvent, Client, Informer } from "@capstan/kube";
import { type ObjectKey, keyText } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import type { WorkloadAccount } from "./workload-account.ts";

/** Index of a workload cluster's Nodes by `spec.providerID`. */
export const nodeByProviderID = "kit/node-by-provider-id";

/** A workload cluster that answers. */
export interface WorkloadCluster {
  readonly client: Client;
  /** The Nodes, indexed by `nodeByProviderID`. */
  readonly nodes: Informer;
}

/** State of the connection to one workload cluster. */
export interface WorkloadState {
  readonly connected: boolean;
  /** Milliseconds since the epoch; `undefined`: it never answered. */
  readonly lastProbeSuccess: number | undefined;
  readonly consecutiveFailures: number;
  /** Why it is not connected, for people. */
  readonly message: string;
  /** Why it will not be connected before somebody changes something. */
  readonly problem?: string;
}

export type WorkloadEvent =
  | { readonly type: "connected" | "disconnected" | "probe-failed"; readonly cluster: Required<ObjectKey> }
  | { readonly type: "node"; readonly cluster: Required<ObjectKey>; readonly event: CacheEvent<KubeObject> };

/** Access to workload clusters by the kubeconfig Secrets of their Clusters. No call waits for a network. */
export interface WorkloadClusters {
  /** Asking for a cluster that is not known yet starts connecting to it in the background. */
  connection(cluster: ObjectKey): WorkloadCluster | undefined;
  /** As `connection`, but throws `workload.unreachable` (retry) while there is none. */
  get(cluster: ObjectKey): WorkloadCluster;
  /**
   * The same clusters, with a client that works as the account and may do what its permissions say. Two accounts of one name are one, with
   * the permissions of both. Ask for it before the first connection where that is possible: a cluster that is connected already has no
   * connection of the account until its roles are made there, which `connected` reports again.
   */
  as(account: WorkloadAccount): WorkloadClusters;
  state(cluster: ObjectKey): WorkloadState;
  /** When the cluster last answered, in milliseconds since the epoch. */
  lastProbeSuccess(cluster: ObjectKey): number | undefined;
  /** Reports connects, disconnects, failed probes and Nodes of every cluster. */
  subscribe(listener: (event: WorkloadEvent) => void): () => void;
}

/** Access to workload clusters, plugged in by `installWorkloadClusters`. */
export const workloadClusters: ServiceKey<WorkloadClusters> = { name: "workload-clusters" };

/** The service's clusters as an account sees them; as the kubeconfig's own user where none is declared. */
export const asAccount = (clusters: WorkloadClusters, account: WorkloadAccount | undefined): WorkloadClusters =>
  account === undefined ? clusters : clusters.as(account);

export const unreachable = (cluster: ObjectKey, message: string): CapstanError =>
  new CapstanError({
    code: "workload.unreachable",
    reason: "WorkloadClusterUnreachable",
    message: `the workload cluster of Cluster ${keyText(cluster)} is unreachable: ${message}`,
    retry: { kind: "after", ms: 10_000 },
  });

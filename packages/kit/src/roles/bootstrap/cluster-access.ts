import type { Client } from "@capstan/kube";
import type { ObjectKey } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";

/** A Cluster and the API server it is in. Every `BootstrapContext` is one. */
export interface ClusterAccess {
  readonly client: Client;
  readonly cluster: KubeObject;
  /** Passed on to every call. */
  readonly call: { readonly signal: AbortSignal };
  /** Told of each Secret before it is read: a change of it wakes whoever reads, also while it is missing. */
  readonly watchSecret?: (key: Required<ObjectKey>) => void;
}

/** The key of an object beside the Cluster, in its namespace. */
export const besideCluster = ({ cluster }: Pick<ClusterAccess, "cluster">, name: string): Required<ObjectKey> => ({
  namespace: cluster.metadata.namespace ?? "",
  name,
});

import type { Client, Informer } from "@capstan/kube";
import type { Node } from "../machine/workload-kinds.ts";

/** Index of the Nodes of a workload cluster by `spec.providerID`. */
export const nodeByProviderID = "core/provider-id";

export interface WorkloadConnection {
  readonly client: Client;
  readonly nodes: Informer<Node>;
}

export interface WorkloadView {
  /** `undefined` while the cluster is not connected. */
  connection(cluster: { readonly namespace: string; readonly name: string }): WorkloadConnection | undefined;
  /** When the cluster last answered, in milliseconds since the epoch. */
  lastProbeSuccess(cluster: { readonly namespace: string; readonly name: string }): number | undefined;
}

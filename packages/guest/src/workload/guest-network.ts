import type { TcpForward } from "@capstan/simulation/network";
import { Clouds } from "../controllers/clouds.ts";
import type { Kubelets } from "../controllers/kubelets.ts";
import type { WorkloadCluster } from "./workload-cluster.ts";

/** A workload cluster and the machines behind it. */
export interface ServedCluster {
  readonly cluster: WorkloadCluster;
  /** Machines that serve it or are about to. */
  readonly members: Map<string, Promise<TcpForward>>;
  readonly file: string | undefined;
  /** Set when the cluster was stopped, as no one serves it any more. */
  stopped?: Promise<void>;
}

/**
 * Network of machines on several hosts: a machine of one cloud can join a cluster whose control plane is on another if both hosts were
 * given the same network.
 */
export class GuestNetwork {
  /** By the cluster's authority. */
  readonly clusters = new Map<string, Promise<ServedCluster>>();
  readonly kubelets = new Map<string, Kubelets>();
  /** Those of all hosts: a cluster may have machines of several. */
  readonly clouds = new Clouds();
  #hosts = 0;

  /** A name for one more host, so that machines of different hosts are not taken for one another. */
  nextHost(): string {
    this.#hosts += 1;
    return `host-${this.#hosts}`;
  }
}

import { CapstanError } from "@capstan/contract";
import { machine as machineFields } from "@capstan/contract/wire";
import type { WorkloadAccount, WorkloadCluster, WorkloadClusters } from "@capstan/kit/workload";
import type { Client } from "@capstan/kube";
import { keyText, type ObjectKey } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { permittedClient } from "./permitted-client.ts";

/** One workload cluster, as the machines of a control plane make it. */
export interface StandingWorkload extends WorkloadCluster {
  /** A machine has joined, with all that is started on it. It may be told again. */
  join(machine: KubeObject, management: Client): Promise<void>;
  /** A machine is gone, with what ran on it. */
  leave(machine: KubeObject): Promise<void>;
  /** Called when the network to a machine that has joined fails or works again; the machine itself keeps running. */
  reach(machine: KubeObject, reachable: boolean): Promise<void>;
  /** The member of etcd on a machine stops for good. */
  fail(machine: KubeObject): Promise<void>;
  readonly etcd: {
    /** `undefined` without a majority. */
    readonly leader: string | undefined;
    readonly members: readonly { readonly id: string; readonly isLearner?: boolean }[];
    isRunning(id: string): boolean;
  };
  stop(): Promise<void>;
}

/** Makes workload clusters of a suite fail. */
export interface WorkloadFaults {
  /** Sets whether the API server of a cluster answers; calls fail with `workload.unreachable` while it does not. */
  answers(cluster: ObjectKey, answers: boolean): void;
  /** Sets whether a machine can be reached; it keeps running either way. */
  reach(machine: KubeObject, reachable: boolean): Promise<void>;
  /** Stops the member of etcd on a machine for good. */
  fail(machine: KubeObject): Promise<void>;
  /** Returns the number of members of etcd: 0 before the first machine has joined. */
  members(cluster: ObjectKey): number;
  /** Returns true when every member of etcd runs and votes. */
  isWhole(cluster: ObjectKey): boolean;
  /** Returns true when etcd has a leader, or does not exist yet. */
  hasMajority(cluster: ObjectKey): boolean;
}

const unreachable = (cluster: ObjectKey): CapstanError =>
  new CapstanError({ code: "workload.unreachable", reason: "WorkloadClusterUnreachable", message: keyText(cluster) });

const calls = ["get", "find", "list", "create", "update", "patch", "delete", "request", "forward"] as const;

/** A client whose every call asks before; `check` throws where none gets through. */
const checkedClient = (client: Client, check: () => void): Client =>
  Object.fromEntries(
    calls.map((call) => [
      call,
      async (...args: readonly unknown[]): Promise<unknown> => {
        check();
        return (client[call] as (...args: readonly unknown[]) => Promise<unknown>)(...args);
      },
    ]),
  ) as unknown as Client;

const clusterOf = (machine: KubeObject): Required<ObjectKey> => ({
  namespace: machine.metadata.namespace ?? "",
  name: machineFields.clusterName.get(machine) ?? "",
});

/** Workload clusters by their Clusters, for the conformance of control planes: each begins with its first machine. */
export class WorkloadWorld<W extends StandingWorkload> {
  /** The management API, of the manager that was started last. */
  management: Client | undefined;
  readonly #start: () => Promise<W>;
  readonly #workloads = new Map<string, W>();
  /** Clusters whose API server does not answer. */
  readonly #silent = new Set<string>();

  constructor(start: () => Promise<W>) {
    this.#start = start;
  }

  readonly joined = async (machine: KubeObject): Promise<void> => {
    const name = keyText(clusterOf(machine));
    if (this.management === undefined) throw new Error("no manager was started");
    const workload = this.#workloads.get(name) ?? (await this.#start());
    this.#workloads.set(name, workload);
    await workload.join(machine, this.management);
  };

  readonly gone = async (machine: KubeObject): Promise<void> =>
    this.#workloads.get(keyText(clusterOf(machine)))?.leave(machine);

  readonly faults: WorkloadFaults = {
    answers: (cluster, answers) => {
      if (answers) this.#silent.delete(keyText(cluster));
      else this.#silent.add(keyText(cluster));
    },
    reach: async (machine, reachable) => this.#workloads.get(keyText(clusterOf(machine)))?.reach(machine, reachable),
    fail: async (machine) => this.#workloads.get(keyText(clusterOf(machine)))?.fail(machine),
    members: (cluster) => this.#workloads.get(keyText(cluster))?.etcd.members.length ?? 0,
    isWhole: (cluster) => {
      const etcd = this.#workloads.get(keyText(cluster))?.etcd;
      return etcd?.members.every(({ id, isLearner }) => isLearner !== true && etcd.isRunning(id)) === true;
    },
    hasMajority: (cluster) => {
      const etcd = this.#workloads.get(keyText(cluster))?.etcd;
      return etcd === undefined || etcd.members.length === 0 || etcd.leader !== undefined;
    },
  };

  /** Connections by which managers reach the workload clusters. */
  readonly clusters: WorkloadClusters = this.#clustersAs();

  /** Those that there are, by the keys of their Clusters. */
  get workloads(): ReadonlyMap<string, W> {
    return this.#workloads;
  }

  async stop(): Promise<void> {
    for (const workload of this.#workloads.values()) await workload.stop();
    this.#workloads.clear();
  }

  /** The same for an account, which may do what it says. */
  #clustersAs(account?: WorkloadAccount): WorkloadClusters {
    const connection = (cluster: ObjectKey): WorkloadCluster | undefined => {
      const found = this.#workloads.get(keyText(cluster));
      if (found === undefined) return undefined;
      const { nodes } = found;
      const client = checkedClient(found.client, () => {
        if (this.#silent.has(keyText(cluster))) throw unreachable(cluster);
      });
      return { nodes, client: account === undefined ? client : permittedClient(client, account) };
    };
    return {
      connection,
      get: (cluster) => {
        const found = connection(cluster);
        if (found === undefined) throw unreachable(cluster);
        return found;
      },
      as: (other) => this.#clustersAs(other),
      state: (cluster) => ({
        connected: connection(cluster) !== undefined,
        lastProbeSuccess: undefined,
        consecutiveFailures: 0,
        message: "",
      }),
      lastProbeSuccess: () => undefined,
      subscribe: () => () => undefined,
    };
  }
}

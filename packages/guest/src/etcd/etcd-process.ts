import type { Accept } from "../network/node-ports.ts";
import { type EtcdAlarm, type EtcdCluster, EtcdError, type EtcdMember } from "./etcd-cluster.ts";
import { type EtcdServer, type EtcdServerCertificates, serveEtcd } from "./etcd-server.ts";

/** Where etcd listens for clients. */
const clientPort = 2379;

/** The etcd member on a machine, for tests, faults and diagnosis. */
export interface GuestEtcd {
  readonly id: string;
  /** The members that its cluster has, this one among them unless it was removed. */
  readonly members: readonly EtcdMember[];
  readonly isLeader: boolean;
  readonly isRunning: boolean;
  /** Ends the process as a crash does: connections to it are refused, its Pod is not ready. */
  stop(): void;
  /** Starts it again. One that was removed from its cluster does not start. */
  start(): void;
  setAlarm(alarm: EtcdAlarm, isOn: boolean): void;
}

export interface EtcdProcessOptions {
  /** Name of the machine's Node. */
  readonly name: string;
  readonly certificates: EtcdServerCertificates;
  readonly listen: (port: number, accept: Accept) => () => void;
  /** Is told whether the process runs, at each change but the first. */
  readonly report: (isRunning: boolean) => void;
  readonly print: (line: string) => void;
}

export class EtcdProcess implements GuestEtcd {
  readonly id: string;
  readonly #cluster: EtcdCluster;
  readonly #options: EtcdProcessOptions;
  #wasStarted = false;
  #running: { readonly server: EtcdServer; readonly unlisten: () => void } | undefined;

  constructor(cluster: EtcdCluster, id: string, options: EtcdProcessOptions) {
    this.id = id;
    this.#cluster = cluster;
    this.#options = options;
  }

  get members(): readonly EtcdMember[] {
    return this.#cluster.members;
  }

  get isLeader(): boolean {
    return this.#cluster.leader === this.id;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  start(): void {
    if (this.isRunning) return;
    const { certificates, listen, name, report, print } = this.#options;
    if (!this.members.some(({ id }) => id === this.id)) {
      print("the member has been permanently removed from the cluster");
      report(false);
      return;
    }
    const server = serveEtcd(this.#cluster, this.id, certificates);
    this.#running = { server, unlisten: listen(clientPort, (connection) => server.accept(connection)) };
    this.#cluster.started(
      this.id,
      () => {
        print("the member has been permanently removed from the cluster");
        this.#end();
        report(false);
      },
      name,
    );
    if (this.#wasStarted) report(true);
    this.#wasStarted = true;
  }

  stop(): void {
    if (!this.isRunning) return;
    this.powerOff();
    this.#options.report(false);
  }

  setAlarm(alarm: EtcdAlarm, isOn: boolean): void {
    this.#cluster.setAlarm(this.id, alarm, isOn);
  }

  /** Takes the member out of its cluster and ends the process; returns what came of it. The last member of a cluster only ends. */
  leave(): string {
    const isLast = this.members.length <= 1;
    try {
      if (!isLast) this.#cluster.remove(this.id);
    } catch (error) {
      if (!(error instanceof EtcdError)) throw error;
      return `Failed to remove etcd member: ${error.message}. Please manually remove this etcd member using etcdctl`;
    } finally {
      this.powerOff();
    }
    return isLast ? "Skipping the removal of the only member of etcd" : "Removed the member from etcd";
  }

  /** As `stop`, with no one left to report it. */
  powerOff(): void {
    if (!this.isRunning) return;
    this.#end();
    this.#cluster.stopped(this.id);
  }

  #end(): void {
    this.#running?.unlisten();
    this.#running?.server.close();
    this.#running = undefined;
  }
}

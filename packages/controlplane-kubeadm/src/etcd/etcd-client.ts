import type { Client } from "@capstan/kube";
import type { GrpcCertificates } from "./grpc-connection.ts";
import { GrpcConnection } from "./grpc-connection.ts";
import { decode, encode, messagesIn, numberIn, textIn, textsIn } from "./protobuf.ts";

/** One member of etcd, as the others know it. */
export interface EtcdMember {
  readonly id: bigint;
  /** That of its Node; empty until the member has started. */
  readonly name: string;
  /** Hosts of its peer URLs, IPv6 without brackets. They are known before the member has started. */
  readonly hosts: readonly string[];
  /** It does not vote yet. */
  readonly learner: boolean;
  readonly alarms: readonly string[];
}

/** What one member says of all. */
export interface EtcdView {
  readonly members: readonly EtcdMember[];
  /** Id of the leader; 0 when there is none. */
  readonly leader: bigint;
}

const alarmNames: Readonly<Record<string, string>> = { 1: "NOSPACE", 2: "CORRUPT" };
const port = 2379;

const hostOf = (url: string): readonly string[] =>
  URL.canParse(url) ? [new URL(url).hostname.replace(/^\[|\]$/g, "")] : [];

/** One member, as its API serves it through a port of its Pod. */
export class EtcdClient {
  readonly #connection: GrpcConnection;
  readonly #signal: AbortSignal;

  private constructor(connection: GrpcConnection, signal: AbortSignal) {
    this.#connection = connection;
    this.#signal = signal;
  }

  /** Connects to the member on a Node. Throws what the API server says when it refuses. */
  static async on(
    node: string,
    workload: Client,
    certificates: GrpcCertificates,
    signal: AbortSignal,
  ): Promise<EtcdClient> {
    const stream = await workload.forward({ namespace: "kube-system", name: `etcd-${node}` }, port, { signal });
    return new EtcdClient(await GrpcConnection.on(stream, certificates), signal);
  }

  /** Every member with its alarms, as the majority has agreed on. Throws `kubeadm.etcd_failed`. */
  async view(): Promise<EtcdView> {
    const status = decode(await this.#call("Maintenance/Status", encode([])));
    const list = decode(await this.#call("Cluster/MemberList", encode([[1, true]])));
    const alarms = messagesIn(decode(await this.#call("Maintenance/Alarm", encode([]))), 2).map((alarm) => ({
      id: numberIn(alarm, 1),
      name: alarmNames[String(numberIn(alarm, 2))] ?? "unknown",
    }));
    const members = messagesIn(list, 2).map((member) => {
      const id = numberIn(member, 1);
      const own = alarms.filter((alarm) => alarm.id === id).map(({ name }) => name);
      const hosts = textsIn(member, 3).flatMap(hostOf);
      return { id, name: textIn(member, 2), hosts, learner: numberIn(member, 5) === 1n, alarms: own };
    });
    return { members, leader: numberIn(status, 4) };
  }

  async remove(id: bigint): Promise<void> {
    await this.#call("Cluster/MemberRemove", encode([[1, id]]));
  }

  /** Hands over; only the leader itself can. */
  async moveLeader(to: bigint): Promise<void> {
    await this.#call("Maintenance/MoveLeader", encode([[1, to]]));
  }

  close(): void {
    this.#connection.close();
  }

  #call(path: string, message: Buffer): Promise<Buffer> {
    return this.#connection.call(path, message, this.#signal);
  }
}

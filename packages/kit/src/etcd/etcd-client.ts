import { createHash } from "node:crypto";
import type { SecureContext } from "node:tls";
import { isCapstanError } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import { etcdFailed } from "./etcd-failed.ts";
import { GrpcConnection } from "./grpc-connection.ts";
import { type EtcdKeyValue, keyValueIn } from "./snapshot-file.ts";
import { bytesIn, decode, encode, type Message, messagesIn, numberIn, textIn, textsIn } from "./protobuf.ts";

/** One member of etcd, as the others know it. */
export interface EtcdMember {
  readonly id: bigint;
  /** For kubeadm that of its Node; empty until the member has started. */
  readonly name: string;
  /** Hosts of its peer URLs, IPv6 without brackets. They are known before the member has started. */
  readonly hosts: readonly string[];
  /** It does not vote yet. */
  readonly learner: boolean;
  readonly alarms: readonly string[];
}

/** All members, as one of them reports them. */
export interface EtcdView {
  readonly members: readonly EtcdMember[];
  /** Id of the leader; 0 when there is none. */
  readonly leader: bigint;
}

/** One member, as it reports itself. */
export interface EtcdStatus {
  readonly id: bigint;
  /** Id of the leader; 0 when it knows none. */
  readonly leader: bigint;
  readonly version: string;
  /** Size of its database on disk, and how much of that holds data. In bytes. */
  readonly size: bigint;
  readonly inUse: bigint;
  readonly learner: boolean;
  /** The message of etcd. */
  readonly errors: readonly string[];
}

/** One alarm of one member. */
export interface EtcdAlarm {
  readonly id: bigint;
  readonly name: string;
}

const alarmNames: Readonly<Record<string, string>> = { 1: "NOSPACE", 2: "CORRUPT" };
const noSpace = 1n;
const deactivate = 2n;
const port = 2379;
/** Longest wait for the API server to reach the Pod, as upstream waits. */
const dialTimeoutMs = 10_000;
/** Keys asked for at once. */
const pageKeys = 500n;
/** Length of the SHA-256 at the end of a snapshot. */
const digestBytes = 32;

const hostOf = (url: string): readonly string[] =>
  URL.canParse(url) ? [new URL(url).hostname.replace(/^\[|\]$/g, "")] : [];

const alarmsIn = (answer: Message): readonly EtcdAlarm[] =>
  messagesIn(answer, 2).map((alarm) => ({
    id: numberIn(alarm, 1),
    name: alarmNames[String(numberIn(alarm, 2))] ?? "unknown",
  }));

/** One member, as its API serves it through a port of a Pod. */
export class EtcdClient {
  readonly #connection: GrpcConnection;
  readonly #signal: AbortSignal;

  private constructor(connection: GrpcConnection, signal: AbortSignal) {
    this.#connection = connection;
    this.#signal = signal;
  }

  /** Connects through a Pod of kube-system. Throws what the API server says when it refuses. */
  static async on(pod: string, workload: Client, context: SecureContext, signal: AbortSignal): Promise<EtcdClient> {
    const options = { signal, timeoutMs: dialTimeoutMs };
    const stream = await workload.forward({ namespace: "kube-system", name: pod }, port, options);
    return new EtcdClient(await GrpcConnection.on(stream, context), signal);
  }

  /** Every member with its alarms, as the majority has agreed on. Throws `kit.etcd_failed`. */
  async view(): Promise<EtcdView> {
    const { leader } = await this.status();
    const list = decode(await this.#call("Cluster/MemberList", encode([[1, true]])));
    const alarms = alarmsIn(decode(await this.#call("Maintenance/Alarm", encode([]))));
    const members = messagesIn(list, 2).map((member) => {
      const id = numberIn(member, 1);
      const own = alarms.filter((alarm) => alarm.id === id).map(({ name }) => name);
      const hosts = textsIn(member, 3).flatMap(hostOf);
      return { id, name: textIn(member, 2), hosts, learner: numberIn(member, 5) === 1n, alarms: own };
    });
    return { members, leader };
  }

  /** Its own state, which it knows without a majority. Throws `kit.etcd_failed`. */
  async status(): Promise<EtcdStatus> {
    const status = decode(await this.#call("Maintenance/Status", encode([])));
    const [header] = messagesIn(status, 1);
    return {
      id: header === undefined ? 0n : numberIn(header, 2),
      leader: numberIn(status, 4),
      version: textIn(status, 2),
      size: numberIn(status, 3),
      inUse: numberIn(status, 9),
      learner: numberIn(status, 10) === 1n,
      errors: textsIn(status, 8),
    };
  }

  async remove(id: bigint): Promise<void> {
    await this.#call("Cluster/MemberRemove", encode([[1, id]]));
  }

  /** Hands over; only the leader itself can. */
  async moveLeader(to: bigint): Promise<void> {
    await this.#call("Maintenance/MoveLeader", encode([[1, to]]));
  }

  /** Disarms the alarm NOSPACE of a member. Its database needs free space by then, or the next write raises it again. */
  async endNoSpace(id: bigint): Promise<void> {
    await this.#call(
      "Maintenance/Alarm",
      encode([
        [1, deactivate],
        [2, id],
        [3, noSpace],
      ]),
    );
  }

  /** Discards old revisions, so that defragmenting frees their space. API servers cannot do so during the alarm NOSPACE. */
  async compact(): Promise<void> {
    const [header] = messagesIn(decode(await this.#call("Maintenance/Status", encode([]))), 1);
    const revision = header === undefined ? 0n : numberIn(header, 3);
    try {
      await this.#call(
        "KV/Compact",
        encode([
          [1, revision],
          [2, true],
        ]),
      );
    } catch (error) {
      // Nothing was written since the last time.
      if (!isCapstanError(error, "kit.etcd_failed") || !error.message.endsWith("has been compacted")) throw error;
    }
  }

  /** Gives the space of its database that holds no data back to the disk. It answers nothing else meanwhile. */
  async defragment(): Promise<void> {
    await this.#call("Maintenance/Defragment", encode([]));
  }

  /**
   * Its database as it is now, piece by piece, with the SHA-256 of all that comes before at its end, as other tools of etcd restore it.
   * Throws `kit.etcd_failed` when it is cut off or damaged on the way.
   */
  async *snapshot(): AsyncGenerator<Buffer, void> {
    const hash = createHash("sha256");
    let held = Buffer.alloc(0);
    for await (const message of this.#connection.stream("Maintenance/Snapshot", encode([]), this.#signal)) {
      const piece = bytesIn(decode(message), 3);
      const all = Buffer.concat([held, piece]);
      const end = Math.max(0, all.length - digestBytes);
      hash.update(all.subarray(0, end));
      held = all.subarray(end);
      yield piece;
    }
    if (held.length < digestBytes || !hash.digest().equals(held)) {
      throw etcdFailed("Maintenance/Snapshot", "the snapshot is incomplete: its checksum does not match");
    }
  }

  /** The connection failed, so that further calls do, too. */
  get isBroken(): boolean {
    return this.#connection.isBroken;
  }

  /** Every key with a prefix, as the majority has agreed on, in order. Throws `kit.etcd_failed`. */
  async *keys(prefix: string): AsyncGenerator<EtcdKeyValue, void> {
    const last = Buffer.from(prefix);
    const end = Buffer.concat([last.subarray(0, -1), Buffer.from([(last.at(-1) ?? 0) + 1])]);
    let from: Buffer = last;
    for (;;) {
      const answer = decode(
        await this.#call(
          "KV/Range",
          encode([
            [1, from],
            [2, end],
            [3, pageKeys],
          ]),
        ),
      );
      const found = (answer.get(2) ?? []).flatMap((value) => (Buffer.isBuffer(value) ? [keyValueIn(value)] : []));
      yield* found;
      const next = found.at(-1);
      if (next === undefined || numberIn(answer, 3) !== 1n) return;
      // The key right behind it.
      from = Buffer.concat([Buffer.from(next.key), Buffer.from([0])]);
    }
  }

  /** Writes a key. */
  async put(key: string, value: Buffer): Promise<void> {
    await this.#call(
      "KV/Put",
      encode([
        [1, key],
        [2, value],
      ]),
    );
  }

  /** Deletes a key; one that is not there is deleted already. */
  async delete(key: string): Promise<void> {
    await this.#call("KV/DeleteRange", encode([[1, key]]));
  }

  close(): void {
    this.#connection.close();
  }

  #call(path: string, message: Buffer): Promise<Buffer> {
    return this.#connection.call(path, message, this.#signal);
  }
}

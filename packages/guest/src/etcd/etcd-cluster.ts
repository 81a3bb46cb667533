import { CapstanError, type Random } from "@capstan/contract";
import { boltDatabase, type EtcdKey } from "./bolt-database.ts";

/** Version that kubeadm runs with Kubernetes v1.34. */
export const etcdVersion = "3.6.4";

/** One member, as etcd reports it. */
export interface EtcdMember {
  /** An unsigned number of 64 bits, in decimal digits. */
  readonly id: string;
  /** That of its Node; empty until it has started. */
  readonly name: string;
  /** It does not vote yet. Absent: it does. */
  readonly isLearner?: boolean;
  readonly peerURLs: readonly string[];
  readonly clientURLs: readonly string[];
}

export type EtcdAlarm = "NOSPACE" | "CORRUPT";

/** State that outlives the processes of the members. */
export interface EtcdState {
  readonly id: string;
  readonly term: number;
  readonly members: readonly EtcdMember[];
}

/** The keys and values of one etcd, which its API servers keep. */
export interface EtcdStore {
  /** Every key, in order. */
  keys(): Promise<readonly EtcdKey[]>;
  put(key: string, value: Buffer): Promise<void>;
  delete(key: string): Promise<void>;
}

const noKeys: EtcdStore = {
  keys: () => Promise.resolve([]),
  put: () => Promise.resolve(),
  delete: () => Promise.resolve(),
};

/** Bytes of a database without keys, and by how many it grows with each change until it is defragmented. */
const emptyBytes = 20_480;
const changeBytes = 4096;

/** As gRPC names them. */
export type EtcdFailure =
  | "unavailable"
  | "failedPrecondition"
  | "notFound"
  | "outOfRange"
  | "resourceExhausted"
  | "dataLoss";

const urlsOf = (address: string): Pick<EtcdMember, "peerURLs" | "clientURLs"> => {
  const host = address.includes(":") ? `[${address}]` : address;
  return { peerURLs: [`https://${host}:2380`], clientURLs: [`https://${host}:2379`] };
};

/** An answer of etcd that is none, in its words. */
export class EtcdError extends CapstanError {
  readonly failure: EtcdFailure;

  constructor(failure: EtcdFailure, what: string) {
    const again = failure === "unavailable" ? {} : ({ retry: { kind: "never" } } as const);
    super({ code: "guest.etcd_failed", reason: "EtcdFailed", message: `etcdserver: ${what}`, ...again });
    this.name = "EtcdError";
    this.failure = failure;
  }
}

/**
 * The members of one etcd and what they have agreed on; keys and values are not modelled. Members that run agree at once as long as they
 * are the majority, and nothing can be changed without one.
 */
export class EtcdCluster {
  readonly #random: Random;
  readonly #save: (state: EtcdState) => void;
  readonly #store: EtcdStore;
  readonly #defragmentedAt = new Map<string, number>();
  readonly #running = new Map<string, () => void>();
  #alarms: readonly { readonly memberID: string; readonly alarm: EtcdAlarm }[] = [];
  #state: EtcdState;
  #leader: string | undefined;
  #index = 1;
  #compactedAt = 0;

  /** `save` is called with each new state. */
  constructor(options: {
    readonly random: Random;
    readonly saved?: EtcdState | undefined;
    readonly save?: (state: EtcdState) => void;
    /** Where the keys are. Default: there are none. */
    readonly store?: EtcdStore;
  }) {
    this.#random = options.random;
    this.#save = options.save ?? (() => undefined);
    this.#store = options.store ?? noKeys;
    this.#state = options.saved ?? { id: this.#newId(), term: 1, members: [] };
  }

  get id(): string {
    return this.#state.id;
  }

  get members(): readonly EtcdMember[] {
    return this.#state.members;
  }

  get term(): number {
    return this.#state.term;
  }

  /** Changes that were agreed on, in this process. */
  get index(): number {
    return this.#index;
  }

  /** Id of the leader; `undefined` without a majority. */
  get leader(): string | undefined {
    return this.#leader;
  }

  get alarms(): readonly { readonly memberID: string; readonly alarm: EtcdAlarm }[] {
    return this.#alarms;
  }

  get sizeInUse(): number {
    return emptyBytes;
  }

  /** Bytes of the database of a member. */
  sizeOf(id: string): number {
    return emptyBytes + changeBytes * (this.#index - (this.#defragmentedAt.get(id) ?? 0));
  }

  defragment(id: string): void {
    this.#defragmentedAt.set(id, this.#index);
  }

  /** Discards revisions before the given one. Throws an `EtcdError` for a future or already compacted revision. */
  compact(revision: number): void {
    if (revision > this.#index) throw new EtcdError("outOfRange", "mvcc: required revision is a future revision");
    if (revision <= this.#compactedAt) throw new EtcdError("outOfRange", "mvcc: required revision has been compacted");
    this.#compactedAt = revision;
  }

  /** All keys, in order. */
  keys(): Promise<readonly EtcdKey[]> {
    return this.#store.keys();
  }

  async put(key: string, value: Buffer): Promise<void> {
    await this.#store.put(key, value);
    this.#index += 1;
  }

  async delete(key: string): Promise<void> {
    await this.#store.delete(key);
    this.#index += 1;
  }

  /** The database as a file of bbolt. */
  async database(): Promise<Buffer> {
    return boltDatabase(await this.keys(), this.#index);
  }

  isRunning(id: string): boolean {
    return this.#running.has(id);
  }

  /** Adds a member that votes, the first as a cluster of its own; it has to be started. Throws an `EtcdError` without a majority. */
  add(name: string, address: string): EtcdMember {
    return this.#add({ name, ...urlsOf(address) });
  }

  /** Adds a member that does not vote and has no name until it has started, as kubeadm does. Throws an `EtcdError` without a majority. */
  addLearner(address: string): EtcdMember {
    return this.#add({ name: "", ...urlsOf(address), clientURLs: [], isLearner: true });
  }

  /** Lets a learner vote. Throws an `EtcdError` for one that does not run, for an unknown member, and without a majority. */
  promote(id: string): void {
    this.needLeader();
    const member = this.members.find((each) => each.id === id);
    if (member === undefined) throw new EtcdError("notFound", "member not found");
    if (!this.isRunning(id)) {
      throw new EtcdError("failedPrecondition", "can only promote a learner member which is in sync with leader");
    }
    const { isLearner: _, ...voter } = member;
    this.#change({ members: this.members.map((each) => (each.id === id ? voter : each)) });
    this.#elect();
  }

  /** The process of a member runs from now on; `removed` is called when it is no longer a member, and has to end. */
  started(id: string, removed: () => void, name?: string): void {
    this.#running.set(id, removed);
    const unnamed = this.members.find((member) => member.id === id && member.name === "");
    if (unnamed !== undefined && name !== undefined) {
      const clientURLs = unnamed.peerURLs.map((url) => url.replace(/2380$/, "2379"));
      const named = { ...unnamed, name, clientURLs };
      this.#change({ members: this.members.map((member) => (member.id === id ? named : member)) });
    }
    this.#elect();
  }

  stopped(id: string): void {
    this.#running.delete(id);
    this.#elect();
  }

  /** Throws an `EtcdError` for an unknown member, and when the rest were no majority. */
  remove(id: string): void {
    this.needLeader();
    if (!this.members.some((member) => member.id === id)) throw new EtcdError("notFound", "member not found");
    const voters = this.#voters.filter((member) => member.id !== id);
    const left = voters.filter((member) => this.isRunning(member.id)).length;
    if (this.isRunning(id) && left < 1 + Math.floor(voters.length / 2)) {
      throw new EtcdError("unavailable", "unhealthy cluster");
    }
    const removed = this.#running.get(id);
    this.#running.delete(id);
    this.#alarms = this.#alarms.filter(({ memberID }) => memberID !== id);
    this.#change({ members: this.members.filter((member) => member.id !== id) });
    this.#elect();
    removed?.();
  }

  /** Only the leader itself hands over. Throws an `EtcdError` otherwise, and when the other is down or unknown. */
  moveLeader(from: string, to: string): void {
    if (this.#leader !== from) throw new EtcdError("failedPrecondition", "not leader");
    if (!this.#voters.some(({ id }) => id === to)) throw new EtcdError("failedPrecondition", "bad leader transferee");
    if (!this.isRunning(to)) throw new EtcdError("unavailable", "request timed out, leader transfer took too long");
    if (to !== from) this.#lead(to);
  }

  setAlarm(memberID: string, alarm: EtcdAlarm, isOn: boolean): void {
    const others = this.#alarms.filter((each) => each.memberID !== memberID || each.alarm !== alarm);
    this.#alarms = isOn ? [...others, { memberID, alarm }] : others;
  }

  /** Throws an `EtcdError` while a member has the alarm NOSPACE. */
  needSpace(): void {
    if (this.#alarms.some(({ alarm }) => alarm === "NOSPACE")) {
      throw new EtcdError("resourceExhausted", "mvcc: database space exceeded");
    }
  }

  /** Throws an `EtcdError` while a member has the alarm CORRUPT. */
  needSound(): void {
    if (this.#alarms.some(({ alarm }) => alarm === "CORRUPT")) throw new EtcdError("dataLoss", "corrupt cluster");
  }

  /** Throws an `EtcdError` when no majority runs. */
  needLeader(): void {
    if (this.#leader === undefined) throw new EtcdError("unavailable", "no leader");
  }

  get #voters(): readonly EtcdMember[] {
    return this.members.filter(({ isLearner }) => isLearner !== true);
  }

  #elect(): void {
    const running = this.#voters.filter(({ id }) => this.isRunning(id));
    const hasMajority = running.length > this.#voters.length / 2;
    if (!hasMajority) this.#leader = undefined;
    else if (!running.some(({ id }) => id === this.#leader)) this.#lead(running[0]?.id);
  }

  #add(member: Omit<EtcdMember, "id">): EtcdMember {
    if (this.members.length > 0) this.needLeader();
    const added = { id: this.#newId(), ...member };
    this.#change({ members: [...this.members, added] });
    // Who votes from the start counts from the start.
    if (this.members.length > 1) this.#elect();
    return added;
  }

  #lead(id: string | undefined): void {
    this.#leader = id;
    this.#change({ term: this.term + 1 });
  }

  #change(part: Partial<EtcdState>): void {
    this.#index += 1;
    this.#state = { ...this.#state, ...part };
    this.#save(this.#state);
  }

  /** 0 means no one. */
  #newId(): string {
    return String(Buffer.from(this.#random.bytes(8)).readBigUInt64BE() | 1n);
  }
}

import { hostname } from "node:os";
import { CapstanError, type Clock, isCapstanError, type Logger, type Random, silentLogger } from "@capstan/contract";
import { type KubeObject, resource } from "@capstan/schema";
import type { Client } from "./client.ts";

export interface LeaderElectionOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log?: Logger;
  /** The namespace of the Lease. */
  readonly namespace: string;
  /** The name of the Lease: one for each set of processes of which one leads. */
  readonly name: string;
  /** Set on the Lease whenever it is written. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Set on the Lease whenever it is written. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Unique per process. Default: host name and random hexadecimal digits. */
  readonly identity?: string;
  /** Others wait this long for a leader that is silent. Default 15 000. */
  readonly leaseDurationMs?: number;
  /** A leader that cannot renew for this long gives up. Less than the duration. Default 10 000. */
  readonly renewDeadlineMs?: number;
  /** Time between two attempts. Default 2 000. */
  readonly retryPeriodMs?: number;
  /** Called once when the lease could not be had at once, with the identity of who holds it where that could be read. */
  readonly onWaiting?: (holder: string | undefined) => void;
}

export interface Leadership {
  readonly identity: string;
  /** Resolves, with the reason, when the lease could not be kept. Stop acting at once. */
  readonly lost: Promise<CapstanError>;
  /**
   * True if the lease was renewed recently enough that no one else can lead yet. To be asked before every write: a process that slept,
   * or whose timers are late, learns it here before it learns it from `lost`.
   */
  readonly valid: boolean;
  /** Stops renewing and lets the next candidate lead without waiting. */
  release(): Promise<void>;
}

export interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
}

export interface Lease extends KubeObject {
  readonly spec?: LeaseSpec;
}

export const Lease = resource<Lease>({ group: "coordination.k8s.io", version: "v1", kind: "Lease", plural: "leases" });

/** RFC 3339 with microseconds, as Leases have it. */
const microTime = (ms: number): string => new Date(ms).toISOString().replace("Z", "000Z");

/** Unique per process: host name and random hexadecimal digits. */
export const processIdentity = (random: Random): string =>
  `${hostname()}_${Buffer.from(random.bytes(8)).toString("hex")}`;

class LeaseCandidate {
  readonly identity: string;
  readonly #options: LeaderElectionOptions;
  readonly #durationMs: number;
  /** The record as last seen, and when it changed by our own clock: clocks of different hosts are never compared. */
  #seen: { readonly record: string; readonly at: number } | undefined;
  #lease: Lease | undefined;
  #holder: string | undefined;
  #renewedAt = Number.NEGATIVE_INFINITY;

  constructor(options: LeaderElectionOptions) {
    this.#options = options;
    this.#durationMs = options.leaseDurationMs ?? 15_000;
    this.identity = options.identity ?? processIdentity(options.random);
  }

  /** When the last successful attempt began, by our own clock. */
  get renewedAt(): number {
    return this.#renewedAt;
  }

  /** Who held the lease at the last attempt, if it could be read. */
  get holder(): string | undefined {
    return this.#holder;
  }

  /** One attempt to take or renew the lease: whether this process holds it now, or who else does. */
  async attempt({ signal }: { readonly signal: AbortSignal }): Promise<"held" | "free" | "another"> {
    const { client, clock, namespace, name } = this.#options;
    const timing = { signal, timeoutMs: 5_000 };
    const startedAt = clock.now();
    const lease = await client.find(Lease, { namespace, name }, timing);
    if (lease === undefined) {
      this.#lease = await client.create(Lease, this.#written(undefined), timing);
      this.#renewedAt = startedAt;
      return "held";
    }
    const record = JSON.stringify(lease.spec ?? {});
    if (this.#seen?.record !== record) this.#seen = { record, at: clock.now() };
    const holder = lease.spec?.holderIdentity ?? "";
    this.#holder = holder === "" ? undefined : holder;
    const free = holder === "" || holder === this.identity;
    if (!free && this.#seen.at + this.#durationMs > clock.now()) return "another";
    this.#lease = await client.update(Lease, this.#written(lease), timing);
    this.#renewedAt = startedAt;
    return "held";
  }

  async release(): Promise<void> {
    const lease = this.#lease;
    if (lease === undefined) return;
    try {
      await this.#giveUp(lease);
    } catch (error) {
      if (!isCapstanError(error, "kube.conflict")) throw error;
      // A renewal whose answer never came was done all the same, or another user has taken over.
      const { client, namespace, name } = this.#options;
      const current = await client.find(Lease, { namespace, name }, { timeoutMs: 5_000 });
      if (current?.spec?.holderIdentity === this.identity) await this.#giveUp(current);
    }
  }

  async #giveUp(lease: Lease): Promise<void> {
    const time = microTime(this.#options.clock.now());
    // Left out: API servers refuse a holder without a name.
    const { holderIdentity: _, ...rest } = lease.spec ?? {};
    const spec = { ...rest, leaseDurationSeconds: 1, acquireTime: time, renewTime: time };
    await this.#options.client.update(Lease, { ...lease, spec }, { timeoutMs: 5_000 });
  }

  /** Labels and annotations, beside those that others put there. */
  #marks(previous: Lease | undefined): Pick<Lease["metadata"], "labels" | "annotations"> {
    const { labels, annotations } = this.#options;
    return {
      ...(labels !== undefined && { labels: { ...previous?.metadata.labels, ...labels } }),
      ...(annotations !== undefined && { annotations: { ...previous?.metadata.annotations, ...annotations } }),
    };
  }

  #written(previous: Lease | undefined): Lease {
    const { clock, namespace, name } = this.#options;
    const time = microTime(clock.now());
    const ours = previous?.spec?.holderIdentity === this.identity;
    const transitions = previous?.spec?.leaseTransitions ?? 0;
    return {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { ...(previous?.metadata ?? { namespace, name }), ...this.#marks(previous) },
      spec: {
        holderIdentity: this.identity,
        leaseDurationSeconds: Math.ceil(this.#durationMs / 1000),
        acquireTime: ours ? (previous.spec.acquireTime ?? time) : time,
        renewTime: time,
        leaseTransitions: previous === undefined || ours ? transitions : transitions + 1,
      },
    };
  }
}

/** An attempt that another candidate won, or that did not reach the server, is not an error: the next one follows. */
const tried = async (
  candidate: LeaseCandidate,
  log: Logger,
  signal: AbortSignal,
): Promise<"held" | "free" | "another"> => {
  try {
    return await candidate.attempt({ signal });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const raced = ["kube.conflict", "kube.already_exists"].some((code) => isCapstanError(error, code));
    if (!raced) log.warn("cannot acquire or renew the leader lease", { error, identity: candidate.identity });
    return "free";
  }
};

const lostError = ({ namespace, name }: LeaderElectionOptions, why: string): CapstanError =>
  new CapstanError({
    code: "kube.leadership_lost",
    reason: "LeadershipLost",
    message: `Lease "${namespace}/${name}" ${why}; this process no longer leads`,
    retry: { kind: "never" },
  });

const keep = async (candidate: LeaseCandidate, options: LeaderElectionOptions, stop: AbortSignal): Promise<void> => {
  const { clock, log = silentLogger, renewDeadlineMs = 10_000, retryPeriodMs = 2_000 } = options;
  for (;;) {
    await clock.sleep(retryPeriodMs, { signal: stop });
    const attempts = new AbortController();
    const forward = (): void => attempts.abort(stop.reason);
    stop.addEventListener("abort", forward, { once: true });
    const late = lostError(options, `could not be renewed for ${renewDeadlineMs} ms`);
    const leftMs = candidate.renewedAt + renewDeadlineMs - clock.now();
    const cancel = clock.schedule(leftMs, () => attempts.abort(late));
    try {
      for (;;) {
        const outcome = await tried(candidate, log, attempts.signal);
        if (outcome === "held") break;
        // This process slept for so long that another user took over.
        if (outcome === "another") throw lostError(options, "was taken over by another process");
        await clock.sleep(retryPeriodMs, { signal: attempts.signal });
      }
    } finally {
      cancel();
      stop.removeEventListener("abort", forward);
    }
  }
};

/** Waits until this process holds the lease, and then keeps renewing it. Rejects only with the signal's reason. */
export const electLeader = async (
  options: LeaderElectionOptions,
  { signal }: { readonly signal: AbortSignal },
): Promise<Leadership> => {
  const { clock, random, log = silentLogger, retryPeriodMs = 2_000 } = options;
  const candidate = new LeaseCandidate(options);
  let attempts = 0;
  while ((await tried(candidate, log, signal)) !== "held") {
    attempts += 1;
    if (attempts === 1) options.onWaiting?.(candidate.holder);
    await clock.sleep(retryPeriodMs * (1 + 0.2 * random.next()), { signal });
  }
  log.info("this process leads", { identity: candidate.identity, lease: `${options.namespace}/${options.name}` });
  const stop = new AbortController();
  const lost = Promise.withResolvers<CapstanError>();
  let ended = false;
  const renewing = keep(candidate, options, stop.signal).catch((error: unknown) => {
    ended = true;
    if (isCapstanError(error, "kube.leadership_lost")) lost.resolve(error);
  });
  return {
    identity: candidate.identity,
    lost: lost.promise,
    get valid() {
      return !ended && clock.now() < candidate.renewedAt + (options.renewDeadlineMs ?? 10_000);
    },
    release: async () => {
      ended = true;
      stop.abort();
      await renewing;
      await candidate.release().catch((error: unknown) => log.warn("cannot release the leader lease", { error }));
    },
  };
};

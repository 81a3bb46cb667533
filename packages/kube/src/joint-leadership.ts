import { isCapstanError, type Logger, silentLogger } from "@capstan/contract";
import { byText } from "@capstan/kube-values";
import { electLeader, Lease, type LeaderElectionOptions, type Leadership, processIdentity } from "./leader-election.ts";

/** A Lease as others see it. */
export interface LeaseMark {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface JointElectionOptions extends Omit<
  LeaderElectionOptions,
  "name" | "labels" | "annotations" | "onWaiting"
> {
  /** A process leads while it holds all of them. */
  readonly leases: readonly LeaseMark[];
  /** Returns whether the holder of another Lease of the namespace does some of the same work. Default: no one does. */
  readonly isRival?: (lease: LeaseMark) => boolean;
  /** Called once for each Lease that could not be had at once, with its name and with who holds it where that could be read. */
  readonly onWaiting?: (holder: string | undefined, lease: string) => void;
}

/** The clocks of two hosts differ by less: a Lease renewed longer ago is no one's, and need not be watched to know that. */
const longAgoMs = 3_600_000;

/** Tells which Leases of others are still in use, by watching whether they change: clocks of different hosts are not compared. */
class RivalWatch {
  readonly #options: JointElectionOptions;
  readonly #log: Logger;
  readonly #seen = new Map<string, { readonly record: string; readonly at: number }>();

  constructor(options: JointElectionOptions) {
    this.#options = options;
    this.#log = options.log ?? silentLogger;
  }

  /** A rival that may lead. A released Lease counts until it has stayed untouched: a standby of its own may be about to take it. */
  async find({ signal }: { readonly signal: AbortSignal }): Promise<Lease | undefined> {
    const { isRival, leases } = this.#options;
    if (isRival === undefined) return undefined;
    const own = new Set(leases.map(({ name }) => name));
    const others = (await this.#list(signal)).filter(({ metadata }) => {
      const { name = "", labels, annotations } = metadata;
      return !own.has(name) && isRival({ name, ...(labels && { labels }), ...(annotations && { annotations }) });
    });
    return others.filter((lease) => this.#isInUse(lease))[0];
  }

  async #list(signal: AbortSignal): Promise<readonly Lease[]> {
    const { client, namespace } = this.#options;
    try {
      return (await client.list(Lease, { namespace, signal, timeoutMs: 5_000 })).items;
    } catch (error) {
      if (!isCapstanError(error, "kube.forbidden")) throw error;
      this.#log.warn("cannot list other managers' Leases; rerun capstan install to grant it", { namespace, error });
      return [];
    }
  }

  #isInUse({ metadata, spec = {} }: Lease): boolean {
    const { clock, leaseDurationMs = 15_000 } = this.#options;
    const { name = "" } = metadata;
    const record = JSON.stringify(spec);
    const now = clock.now();
    if (now - Date.parse(spec.renewTime ?? "") > longAgoMs) return false;
    if (this.#seen.get(name)?.record !== record) this.#seen.set(name, { record, at: now });
    const patienceMs = Math.max(leaseDurationMs, (spec.leaseDurationSeconds ?? 0) * 1_000);
    return now - (this.#seen.get(name)?.at ?? now) < patienceMs;
  }
}

/** Leads while every part does. */
const together = (parts: readonly Leadership[], identity: string): Leadership => ({
  identity,
  lost: Promise.race(parts.map(({ lost }) => lost)),
  get valid() {
    return parts.every(({ valid }) => valid);
  },
  release: async () => {
    await Promise.all(parts.map((part) => part.release()));
  },
});

/** A process leads when it holds all: that it holds one is a detail. */
const withoutDetails = (log: Logger): Logger => ({
  debug: (message, fields) => log.debug(message, fields),
  info: (message, fields) => log.debug(message, fields),
  warn: (message, fields) => log.warn(message, fields),
  error: (message, fields) => log.error(message, fields),
  child: (fields) => withoutDetails(log.child(fields)),
});

/** Takes the Leases one after the other, all processes in the same order, so that no two wait for each other. */
const takeAll = async (
  { leases, onWaiting, ...options }: JointElectionOptions & { readonly identity: string },
  signal: AbortSignal,
): Promise<Leadership> => {
  const held: Leadership[] = [];
  try {
    for (const lease of leases.toSorted((a, b) => byText(a.name, b.name))) {
      const waiting = (holder: string | undefined): void => onWaiting?.(holder, lease.name);
      held.push(await electLeader({ ...options, ...lease, onWaiting: waiting }, { signal }));
    }
  } catch (error) {
    await together(held, options.identity).release();
    throw error;
  }
  return together(held, options.identity);
};

const onceEach = (onWaiting: JointElectionOptions["onWaiting"]): NonNullable<JointElectionOptions["onWaiting"]> => {
  const said = new Set<string>();
  return (holder, lease) => {
    if (said.has(lease)) return;
    said.add(lease);
    onWaiting?.(holder, lease);
  };
};

/**
 * Waits until this process holds every one of some Leases and no rival leads, and then keeps renewing them. Rejects only with the
 * signal's reason.
 */
export const electJointly = async (
  options: JointElectionOptions,
  { signal }: { readonly signal: AbortSignal },
): Promise<Leadership> => {
  const { clock, random, log = silentLogger, retryPeriodMs = 2_000, leaseDurationMs = 15_000 } = options;
  const rivals = new RivalWatch(options);
  const onWaiting = onceEach(options.onWaiting);
  const identity = options.identity ?? processIdentity(random);
  const rival = (): Promise<Lease | undefined> => lookPatiently(rivals, options, signal);
  for (;;) {
    for (let lease = await rival(); lease !== undefined; lease = await rival()) {
      onWaiting(lease.spec?.holderIdentity, lease.metadata.name ?? "");
      await clock.sleep(retryPeriodMs * (1 + 0.2 * random.next()), { signal });
    }
    const leadership = await takeAll({ ...options, log: withoutDetails(log), onWaiting, identity }, signal);
    // One that began at the same moment under another Lease sees this one now, or is seen here.
    if (leadership.valid && (await rival()) === undefined) {
      const leases = options.leases.map(({ name }) => `${options.namespace}/${name}`);
      log.info("this process leads", { identity, leases });
      return leadership;
    }
    await leadership.release();
    await clock.sleep(leaseDurationMs * random.next(), { signal });
  }
};

/** The server may not answer for a while; no one leads before it has said who else does. */
const lookPatiently = async (
  rivals: RivalWatch,
  { clock, log = silentLogger, retryPeriodMs = 2_000 }: JointElectionOptions,
  signal: AbortSignal,
): Promise<Lease | undefined> => {
  for (;;) {
    try {
      return await rivals.find({ signal });
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      log.warn("cannot list leader leases", { error });
      await clock.sleep(retryPeriodMs, { signal });
    }
  }
};

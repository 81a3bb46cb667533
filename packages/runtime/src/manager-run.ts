import { setImmediate as nextTurn } from "node:timers/promises";
import { CapstanError } from "@capstan/contract";
import { type Client, electJointly, type JointElectionOptions, type Leadership, type LeaseMark } from "@capstan/kube";
import type { Environment, MetricsRegistry, Runnable } from "./controller.ts";

/** Where the Leases are, and how patient everybody is. */
export type LeaderElection = Omit<JointElectionOptions, "client" | "clock" | "random" | "log" | "leases"> & {
  /**
   * Name of the Lease; several where the work is shared out among processes in different ways. This process leads while
   * it holds all.
   */
  readonly name: string | readonly LeaseMark[];
  /** Default: the manager's. One with a connection of its own renews the lease also while controllers keep the others busy. */
  readonly client?: Client;
};

export interface ManagerRunOptions {
  readonly leaderElection?: LeaderElection;
  readonly syncTimeoutMs?: number;
  readonly stopTimeoutMs?: number;
}

type MetricSetter = (value: number) => void;

/**
 * The life of a manager: prepare everything; start what needs no leader; fill the caches; lead; start the rest. It stops
 * in the reverse order, when asked or when something that must run fails.
 */
export class ManagerRun {
  readonly #environment: Environment;
  readonly #options: ManagerRunOptions;
  readonly #runnables: Runnable[] = [];
  readonly #running = new Map<Runnable, Promise<void>>();
  readonly #stopLeading = new AbortController();
  readonly #stopAll = new AbortController();
  /** Settles when `run` is told to stop, or with the first failure. */
  readonly #end = Promise.withResolvers<void>();
  readonly #ready = Promise.withResolvers<void>();
  #leadership: Leadership | undefined;
  /** It led once: from then on only a valid lease allows writes. */
  #led = false;
  #synced = false;
  #phase: "new" | "running" | "stopping" = "new";

  constructor(environment: Environment, options: ManagerRunOptions) {
    this.#environment = environment;
    this.#options = options;
    // No one has to wait for these, so their failures must not count as unhandled.
    for (const { promise } of [this.#ready, this.#end]) promise.catch(() => undefined);
  }

  add(runnable: Runnable): void {
    if (this.#phase !== "new") throw misuse(`"${runnable.name}" was added to a manager that runs; add it before run`);
    if (this.#runnables.some(({ name }) => name === runnable.name)) {
      throw misuse(`"${runnable.name}" was added twice; names must be unique in a manager`);
    }
    this.#runnables.push(runnable);
  }

  get synced(): boolean {
    return this.#synced;
  }

  /**
   * Throws `kube.leadership_lost` where a write could collide with the next leader's: after this process has led and its lease is no
   * longer sure. Before that only what needs no leader runs.
   */
  checkWrite(): void {
    if (this.#led && this.#leadership?.valid !== true) throw notLeading();
  }

  ready(): Promise<void> {
    return this.#ready.promise;
  }

  async run({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    if (this.#phase !== "new") throw misuse("run was called twice; make a new manager");
    this.#phase = "running";
    const stop = (): void => this.#end.resolve();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    try {
      this.#start().catch((error: unknown) => this.#end.reject(error));
      await this.#end.promise;
    } finally {
      this.#phase = "stopping";
      signal.removeEventListener("abort", stop);
      await this.#stop();
    }
  }

  async #start(): Promise<void> {
    for (const runnable of this.#runnables) await runnable.prepare?.();
    for (const runnable of this.#runnables) {
      if (runnable.needsLeader !== true) this.#launch(runnable, this.#stopAll.signal);
    }
    await this.#fillCaches();
    for (const runnable of this.#runnables) if (runnable.needsLeader !== true) await runnable.started?.();
    this.#synced = true;
    await this.#lead();
    for (const runnable of this.#runnables) {
      if (runnable.needsLeader !== true) continue;
      this.#launch(runnable, this.#stopLeading.signal);
      // Each one takes in what its caches hold; I/O gets its turn in between.
      await nextTurn();
    }
    this.#ready.resolve();
  }

  #launch(runnable: Runnable, signal: AbortSignal): void {
    if (this.#phase === "stopping") return;
    const running = runnable
      .run({ signal })
      .catch((error: unknown) => {
        if (!signal.aborted) this.#end.reject(error);
      })
      .finally(() => this.#running.delete(runnable));
    this.#running.set(runnable, running);
  }

  async #fillCaches(): Promise<void> {
    const { cache, clock } = this.#environment;
    const { syncTimeoutMs = 120_000 } = this.#options;
    const late = Promise.withResolvers<never>();
    const cancel = clock.schedule(syncTimeoutMs, () => late.reject(notSynced(syncTimeoutMs)));
    try {
      await Promise.race([cache.start({ signal: this.#stopAll.signal }), late.promise]);
    } finally {
      cancel();
    }
  }

  /** Resolves once this process leads. Losing the lease ends the manager: its process starts again, as a standby. */
  async #lead(): Promise<void> {
    const { leaderElection } = this.#options;
    if (leaderElection === undefined) return;
    const { client, clock, random, log, metrics } = this.#environment;
    const { name, ...election } = leaderElection;
    const leases = typeof name === "string" ? [{ name }] : name;
    const status = leaderMetric(metrics, leases);
    status(0);
    const options = { client, clock, random, log, ...election, leases };
    const leadership = await electJointly(options, { signal: this.#stopAll.signal });
    if (this.#phase === "stopping") {
      await leadership.release();
      return;
    }
    this.#leadership = leadership;
    this.#led = true;
    status(1);
    void this.#afterLoss(leadership, status);
  }

  async #afterLoss(leadership: Leadership, status: MetricSetter): Promise<void> {
    const error = await leadership.lost;
    status(0);
    this.#leadership = undefined;
    this.#end.reject(error);
  }

  async #stop(): Promise<void> {
    const reason = new DOMException("the manager stops", "AbortError");
    this.#stopLeading.abort(reason);
    await this.#patiently(this.#ended(({ needsLeader }) => needsLeader === true));
    await this.#patiently(Promise.all([this.#leadership?.release(), this.#environment.events.flush()]));
    this.#stopAll.abort(reason);
    await this.#patiently(this.#ended(() => true));
    this.#ready.reject(reason);
  }

  async #ended(which: (runnable: Runnable) => boolean): Promise<void> {
    await Promise.all([...this.#running].filter(([runnable]) => which(runnable)).map(([, running]) => running));
  }

  /** Waits, but not forever. */
  async #patiently(work: Promise<unknown>): Promise<void> {
    const { clock, log } = this.#environment;
    const late = Promise.withResolvers<void>();
    const cancel = clock.schedule(this.#options.stopTimeoutMs ?? 30_000, () => {
      log.warn("not everything ended in time", { running: Array.from(this.#running.keys(), ({ name }) => name) });
      late.resolve();
    });
    await Promise.race([work, late.promise]);
    cancel();
  }
}

const leaderMetric = (metrics: MetricsRegistry, leases: readonly LeaseMark[]): MetricSetter => {
  const gauge = metrics.gauge("leader_election_master_status", "1 while this process leads.", ["name"]);
  return (value) => {
    for (const { name } of leases) gauge.set(value, { name });
  };
};

const notLeading = (): CapstanError =>
  new CapstanError({
    code: "kube.leadership_lost",
    reason: "LeadershipLost",
    message: "nothing was written: this process led, and its lease may be another's by now",
    retry: { kind: "never" },
  });

const misuse = (message: string): CapstanError =>
  new CapstanError({ code: "runtime.misuse", reason: "Misuse", message, retry: { kind: "never" } });

const notSynced = (ms: number): CapstanError =>
  new CapstanError({
    code: "runtime.caches_not_synced",
    reason: "CachesNotSynced",
    message: `the caches were not filled within ${ms} ms; check that the CRDs of all watched kinds are installed and may be listed`,
  });

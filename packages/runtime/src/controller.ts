import type { Clock, Logger, Random } from "@capstan/contract";
import type { ControllerPermissionsV1, ManagerV1, ServiceKey } from "@capstan/contract/v1";
import type { Cache, CacheEvent, Client, EventRecorder, InformerOptions } from "@capstan/kube";
import type { KubeObject, Resource } from "@capstan/schema";

/** The key of one object: all that a reconciler is given, so that it must read the present state. */
export interface Request {
  readonly namespace: string;
  readonly name: string;
}

/** Nothing more to do until an event, or once more after a time. Failures are thrown. */
export interface Result {
  readonly requeueAfterMs?: number;
}

/** Settings by operators for all controllers of a manager, whoever wrote them. */
export interface Tuning {
  /** Only objects that carry the watch filter label with this value are reconciled. Default: all. */
  readonly watchFilter?: string;
  /** Every object is looked at again after this time, without haste. Default: only when something changes. */
  readonly syncPeriodMs?: number;
  /** Reconciles at once by kind, instead of what the controller says. */
  readonly concurrency?: Readonly<Record<string, number>>;
}

/** Services for every controller and provider shell. */
export interface Environment {
  readonly client: Client;
  readonly cache: Cache;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: MetricsRegistry;
  /** Default: nothing is set. */
  readonly tuning?: Tuning;
  /** Throws `runtime.service_missing` when the application plugged nothing in under this key. */
  service<T>(key: ServiceKey<T>): T;
  /** As `service`, but `undefined` when absent. */
  findService<T>(key: ServiceKey<T>): T | undefined;
}

export interface ReconcileContext extends Environment {
  readonly signal: AbortSignal;
}

export type Reconcile = (request: Request, context: ReconcileContext) => Promise<Result | void>;

/** Turns cache events, or anything else, into requests. */
export interface Source {
  /** The kind whose objects the requests name, of a source that watches the reconciled kind itself. */
  readonly subject?: Resource;
  /** Declares what `start` will read, so that its cache is already warm: also called where another process is the leader. */
  prepare?(environment: Environment): void;
  start(queue: RequestSink, environment: Environment, options: { readonly signal: AbortSignal }): void | Promise<void>;
}

export interface RequestSink {
  add(request: Request, options?: { readonly priority?: number; readonly afterMs?: number }): void;
}

export type Predicate<T extends KubeObject> = (event: CacheEvent<T>) => boolean;

export interface WatchOptions<T extends KubeObject> extends InformerOptions {
  readonly when?: Predicate<T>;
}

export interface ControllerOptions {
  /** Metric label and log field; unique in a manager. */
  readonly name: string;
  /** Sources: `watch(kind)`, `watchOwned(kind, owner)`, `watchMapped(kind, map)`, or the author's own. */
  readonly sources: readonly Source[] | ((environment: Environment) => readonly Source[]);
  readonly reconcile: Reconcile;
  /**
   * Reconciles at once. Of 10 and more, each namespace may have a tenth of so many in addition, when others hold them all; no more than
   * twice as many run. Default 50.
   */
  readonly concurrency?: number;
  /** At most one reconcile per object in this time; by a function when it depends on the object. Default 0. */
  readonly minIntervalMs?: number | ((request: Request, environment: Environment) => number);
  /** Longest time one reconcile may take before its signal is aborted. Default 120 000. */
  readonly timeoutMs?: number;
  /** Called once before the caches and the sources start, for indexes and informers. */
  readonly setup?: (environment: Environment) => void | Promise<void>;
  /** Permissions that its role needs in the management API. */
  readonly permissions?: ControllerPermissionsV1;
}

/** Counters, gauges and histograms by name; backed by prom-client. */
export interface MetricsRegistry {
  counter(
    name: string,
    help: string,
    labels?: readonly string[],
  ): { inc(labels?: Readonly<Record<string, string>>, value?: number): void };
  gauge(
    name: string,
    help: string,
    labels?: readonly string[],
    /** Called before the text is made, to set what changes with time alone. */
    collect?: () => void,
  ): { set(value: number, labels?: Readonly<Record<string, string>>): void };
  histogram(
    name: string,
    help: string,
    options?: { readonly labels?: readonly string[]; readonly buckets?: readonly number[] },
  ): {
    observe(value: number, labels?: Readonly<Record<string, string>>): void;
  };
  /** The Prometheus text format. */
  text(): Promise<string>;
}

/** Something that lives as long as the manager, for example a server. Its failure stops the manager. */
export interface Runnable {
  readonly name: string;
  /** Runs only while this process is the leader, and after the caches are synced. Default: as soon as the manager runs. */
  readonly needsLeader?: boolean;
  /** Called before the caches start, on standbys too. */
  prepare?(): void | Promise<void>;
  run(options: { readonly signal: AbortSignal }): Promise<void>;
  /** Resolves once it does its work; the manager is not ready before. Default: it works as soon as it runs. Only of those that need no leader. */
  started?(): Promise<void>;
}

/** Runs controllers against one API server. */
export interface Manager extends Environment, Pick<ManagerV1, "add" | "provide"> {
  addRunnable(runnable: Runnable): void;
  /** Resolves once stopped; rejects when something that must run cannot. */
  run(options: { readonly signal: AbortSignal }): Promise<void>;
  /** Resolves when caches are synced and controllers run. */
  ready(): Promise<void>;
  /** The caches are filled, and what needs no leader works: true on a standby too. */
  readonly synced: boolean;
}

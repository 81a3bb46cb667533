import { type Clock, type Logger, type Random, silentLogger } from "@capstan/contract";
import {
  type Cache,
  type Client,
  type Connection,
  createCache,
  createClient,
  createEventRecorder,
  type EventRecorder,
  type InformerStatus,
} from "@capstan/kube";
import type { Resource } from "@capstan/schema";
import type { Manager, MetricsRegistry, Tuning } from "./controller.ts";
import { guardedClient } from "./guarded-client.ts";
import { type LeaderElection, ManagerRun } from "./manager-run.ts";
import { createMetrics } from "./metrics.ts";
import { createServices } from "./services.ts";
import { cryptoRandom, systemClock } from "./system-clock.ts";

/** Give a connection, from which client and cache are made so that own writes show in the cache at once, or both of these. */
export type ManagerOptions = ManagerSettings &
  ({ readonly connection: Connection } | { readonly client: Client; readonly cache: Cache });

export interface ManagerSettings {
  /** Default: the connection's; without one, real time. */
  readonly clock?: Clock;
  /** Default: real randomness. */
  readonly random?: Random;
  readonly log?: Logger;
  readonly metrics?: MetricsRegistry;
  /** Default: Events in the API server, from a component of this name. */
  readonly events?: EventRecorder;
  /** Who reports Events. Default `capstan`. */
  readonly component?: string;
  /** Watches only these namespaces. Default: all. Applies to the cache made from a connection. */
  readonly namespaces?: readonly string[];
  /** Settings by operators for all controllers. */
  readonly tuning?: Tuning;
  /** Default: this process leads at once. */
  readonly leaderElection?: LeaderElection;
  /** Time that the caches may take to fill before `run` rejects, in milliseconds. Default 120 000. */
  readonly syncTimeoutMs?: number;
  /** Time that reconciles and servers may take to end, in milliseconds. Default 30 000. */
  readonly stopTimeoutMs?: number;
}

const informerMetrics = (metrics: MetricsRegistry): ((resource: Resource, status: InformerStatus) => void) => {
  const labels = ["group", "kind"];
  const connected = metrics.gauge("capstan_informer_connected", "1 while the watch is open.", labels);
  const relists = metrics.gauge("capstan_informer_relists", "Lists after the first one.", labels);
  const objects = metrics.gauge("capstan_informer_objects", "Objects in the cache.", labels);
  return ({ group, kind }, status) => {
    connected.set(status.connected ? 1 : 0, { group, kind });
    relists.set(status.relists, { group, kind });
    objects.set(status.objects, { group, kind });
  };
};

/** For `connect`: counts the requests to API servers. */
export const requestMetrics = (
  metrics: MetricsRegistry,
): ((answer: { readonly method: string; readonly status: number; readonly host: string }) => void) => {
  const labels = ["code", "method", "host"];
  const total = metrics.counter("rest_client_requests_total", "Requests by answer; code 0: none came.", labels);
  return ({ method, status, host }) => total.inc({ code: String(status), method, host });
};

type CacheScope = Pick<ManagerSettings, "namespaces">;

const overConnection = (
  connection: Connection,
  { random, log, metrics, ...scope }: CacheScope & { random: Random; log: Logger; metrics: MetricsRegistry },
): { readonly client: Client; readonly cache: Cache } => {
  const cache = createCache({ connection, random, log, onStatus: informerMetrics(metrics), ...scope });
  return { cache, client: createClient(connection, { observer: cache }) };
};

/** A manager of controllers. Add controllers and runnables, plug in services, then `run`. */
export const createManager = (options: ManagerOptions): Manager => {
  const { random = cryptoRandom, log = silentLogger, metrics = createMetrics() } = options;
  const clock = options.clock ?? ("connection" in options ? options.connection.clock : systemClock);
  const scope = options.namespaces === undefined ? {} : { namespaces: options.namespaces };
  const { client: unguarded, cache } =
    "connection" in options ? overConnection(options.connection, { random, log, metrics, ...scope }) : options;
  const component = options.component ?? "capstan";
  const events = options.events ?? createEventRecorder({ client: unguarded, clock, random, log, component });
  const services = createServices();
  const { tuning = {} } = options;
  const common = { cache, events, clock, random, log, metrics, tuning, ...services };
  const life = new ManagerRun({ ...common, client: unguarded }, options);
  const environment = { ...common, client: guardedClient(unguarded, () => life.checkWrite()) };
  const manager: Manager = {
    ...environment,
    add: (controller) => controller.attach(manager),
    addRunnable: (runnable) => life.add(runnable),
    run: (runOptions) => life.run(runOptions),
    ready: () => life.ready(),
    get synced() {
      return life.synced;
    },
  };
  return manager;
};

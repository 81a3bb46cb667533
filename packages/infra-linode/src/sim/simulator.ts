import type { Clock, Logger, Random } from "@capstan/contract";
import { silentLogger } from "@capstan/contract";
import { linodeApi } from "./api/linode-api.ts";
import { defaultRateLimits, RateLimiter } from "./api/rate-limit.ts";
import type { RateLimitRule } from "./api/rate-limit.ts";
import type { Route } from "./api/route.ts";
import { FaultPlan } from "./faults.ts";
import type { Fault, Faults } from "./faults.ts";
import type { GuestHost } from "./guest-host.ts";
import { SimulatedServer } from "./http-server.ts";
import { Balancers } from "./network/balancers.ts";
import { claimBlock, hostAddress, keepBlock } from "./network/loopback-block.ts";
import type { LoopbackBlock } from "./network/loopback-block.ts";
import { Power } from "./power.ts";
import { RequestLog } from "./requests.ts";
import type { Requests } from "./requests.ts";
import { catalogueRoutes } from "./resources/catalogue.ts";
import { instanceRoutes } from "./resources/instances.ts";
import { networkingRoutes } from "./resources/networking.ts";
import { nodeBalancerRoutes, openFrontend } from "./resources/node-balancers.ts";
import { objectStorageRoutes } from "./resources/object-storage.ts";
import { objectStorage } from "./s3/object-storage.ts";
import { StateFile } from "./state-file.ts";
import type { SimulatorState, StoredBucket, StoredKey } from "./state.ts";
import { Timers } from "./timers.ts";
import type { Delays, World } from "./world.ts";

export interface LinodeSimulatorOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log?: Logger;
  /** Ports of the API and of the object storage. Default: any free ones. */
  readonly port?: number;
  readonly objectStoragePort?: number;
  /** The one token that is accepted. Default `simulated-token`. */
  readonly token?: string;
  /** Plays the inside of the machines. Without it they only run. */
  readonly guest?: GuestHost;
  /** Defaults in milliseconds: provision 200, boot 300, shutdown 100, delete 100, disk 100. */
  readonly delays?: Partial<Delays>;
  /** Added to every answer. Default 0. */
  readonly latencyMs?: number;
  readonly faults?: readonly Fault[];
  readonly rateLimits?: readonly RateLimitRule[];
  /** Where the state is kept, so that a new simulator goes on with it. Default: in memory only. */
  readonly file?: string;
  /** Put into an account that is still empty. */
  readonly seed?: {
    readonly buckets?: readonly { readonly label: string; readonly region: string }[];
    readonly keys?: readonly {
      readonly accessKey: string;
      readonly secretKey: string;
      /** Default: every bucket. */
      readonly bucketAccess?: NonNullable<StoredKey["bucketAccess"]>;
    }[];
  };
}

/** A simulated Linode account with its API, object storage, network and machines, on loopback. */
export interface LinodeSimulator {
  /** Without the API version. */
  readonly url: string;
  readonly token: string;
  readonly objectStorage: { readonly url: string; readonly requests: Requests; readonly faults: Faults };
  /** The account. Read it in tests; change it only to play events of the outside world. */
  readonly state: SimulatorState;
  readonly faults: Faults;
  readonly requests: Requests;
  /** The newest lines of a machine's serial console. */
  console(id: number): readonly string[];
  /** Loads the state, opens the servers and goes on with what was under way. */
  start(): Promise<void>;
  /** Closes everything; machines are shut down but stay in the state. */
  stop(): Promise<void>;
}

const defaultDelays: Delays = { provisionMs: 200, bootMs: 300, shutdownMs: 100, deleteMs: 100, diskMs: 100 };

const routes: readonly Route[] = [
  ...catalogueRoutes,
  ...instanceRoutes,
  ...nodeBalancerRoutes,
  ...networkingRoutes,
  ...objectStorageRoutes,
];

export const createLinodeSimulator = async (options: LinodeSimulatorOptions): Promise<LinodeSimulator> => {
  const file = await StateFile.open(options.file);
  return new Simulator(options, file);
};

class Simulator implements LinodeSimulator {
  readonly token: string;
  readonly state: SimulatorState;
  readonly faults: FaultPlan;
  readonly requests = new RequestLog();
  readonly objectStorage: LinodeSimulator["objectStorage"];
  readonly #options: LinodeSimulatorOptions;
  readonly #file: StateFile;
  readonly #world: World;
  readonly #api: SimulatedServer;
  readonly #s3: SimulatedServer;
  #block: LoopbackBlock | undefined;

  constructor(options: LinodeSimulatorOptions, file: StateFile) {
    const { clock, log = silentLogger, latencyMs = 0 } = options;
    this.#options = options;
    this.#file = file;
    this.token = options.token ?? "simulated-token";
    this.state = file.state;
    this.faults = new FaultPlan(options.faults);
    this.#world = this.#createWorld(log);
    const api = linodeApi({
      routes,
      world: this.#world,
      file,
      limiter: new RateLimiter(options.rateLimits ?? defaultRateLimits),
      tokens: new Set([this.token]),
    });
    this.#api = new SimulatedServer(api, { clock, log, latencyMs, faults: this.faults, requests: this.requests });
    const s3 = { requests: new RequestLog(), faults: new FaultPlan() };
    const store = objectStorage({ state: this.state, now: () => clock.now(), save: () => file.save() });
    this.#s3 = new SimulatedServer(store, { clock, log, latencyMs, ...s3 });
    const objectStorageUrl = (): string => this.#s3.url;
    this.objectStorage = {
      ...s3,
      get url() {
        return objectStorageUrl();
      },
    };
    seed(this.state, options, this.#world);
  }

  get url(): string {
    return this.#api.url;
  }

  console(id: number): readonly string[] {
    return this.#world.power.console(id);
  }

  async start(): Promise<void> {
    this.#block = await claimBlock(this.state.block, this.#options.random);
    this.state.block = this.#block.block;
    await this.#file.save();
    if (this.#options.file !== undefined) keepBlock(this.state.block, this.#options.file);
    for (const balancer of this.state.nodeBalancers) {
      for (const config of balancer.configs) await openFrontend(balancer, config, this.#world);
    }
    await this.#s3.start(this.#options.objectStoragePort ?? 0);
    await this.#api.start(this.#options.port ?? 0);
    this.#world.power.resume();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#api.stop(), this.#s3.stop()]);
    this.#world.timers.cancelAll();
    await this.#world.power.stop();
    await this.#world.balancers.closeAll();
    await this.#file.save();
    await this.#block?.release();
  }

  #createWorld(log: Logger): World {
    const { clock, random, guest } = this.#options;
    const { state } = this;
    const delays = { ...defaultDelays, ...this.#options.delays };
    const timers = new Timers({ clock, log, save: () => this.#file.save() });
    return {
      state,
      clock,
      random,
      log,
      delays,
      timers,
      power: new Power({ state, clock, log, delays, timers, guest }),
      balancers: new Balancers(log),
      objectStorageUrl: () => this.#s3.url,
      newId: () => state.nextId++,
      newAddress: () => hostAddress(state.block, state.nextHost++),
    };
  }
}

const seed = (state: SimulatorState, options: LinodeSimulatorOptions, world: World): void => {
  if (state.buckets.length > 0 || state.keys.length > 0) return;
  for (const bucket of options.seed?.buckets ?? []) {
    state.buckets.push({ ...bucket, created: options.clock.now(), acl: "private", cors: true } satisfies StoredBucket);
  }
  for (const { accessKey, secretKey, bucketAccess } of options.seed?.keys ?? []) {
    state.keys.push({ id: world.newId(), label: "seed", accessKey, secretKey, bucketAccess: bucketAccess ?? null });
  }
};

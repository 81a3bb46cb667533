import { type Clock, type Logger, type ProxyFor, type Random, silentLogger } from "@capstan/contract";
import type { CertificateAndKey } from "@capstan/pki";
import { type ControlDefinition, controlService } from "./control/control-service.ts";
import { FaultPlan, type Faults } from "./faults/fault-plan.ts";
import type { Fault } from "./faults/fault.ts";
import type { Service } from "./http/service.ts";
import { Throttle } from "./limits/throttle.ts";
import { Consoles } from "./machines/consoles.ts";
import type { GuestHost } from "./machines/guest-host.ts";
import { GuestPlans } from "./machines/guest-plans.ts";
import { type MachineModel, MachinePower, type PowerDelays } from "./machines/machine-power.ts";
import { Balancers } from "./network/balancers.ts";
import { type Reach, NetworkProxy } from "./network/network-proxy.ts";
import { claimBlock, hostAddress, keepBlock, type LoopbackBlock } from "./network/loopback-block.ts";
import { RequestLog, type Requests } from "./requests/request-log.ts";
import type { ServedService } from "./server/exchange.ts";
import { createServerAuthority, issueServerCertificate } from "./server/server-certificate.ts";
import { SimulatedServer } from "./server/simulated-server.ts";
import type { SimulatedState, StateDefinition } from "./state/simulated-state.ts";
import { StateFile } from "./state/state-file.ts";
import { Timers } from "./state/timers.ts";

/** Options of every simulator. */
export interface SimulationOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log?: Logger;
  /** Plays the inside of the machines. Without it they only run. */
  readonly guest?: GuestHost;
  /** Added to every answer. Default 0. */
  readonly latencyMs?: number;
  /** Where the state is kept, so that a new simulator continues with it. Default: in memory only. */
  readonly file?: string;
}

/** Definition of a simulator. */
export interface SimulationDefinition<S extends SimulatedState> {
  /** Lower case; begins the codes of its errors. */
  readonly name: string;
  readonly state: StateDefinition<S>;
  readonly control?: ControlDefinition;
}

export interface ServerDefinition {
  /** Default: any free one. */
  readonly port?: number;
  /** The loopback address to listen at. Default 127.0.0.1; one of `newAddress` for a server that is a machine's own. */
  readonly address?: string;
  /** Host in its URL. Default: the address. */
  readonly hostname?: string;
  /** HTTPS, with a certificate of the simulator's authority. Default false. */
  readonly tls?: boolean;
}

/** A service behind a server, and what it was asked. */
export interface Served {
  /** URL of its server, once that has started. */
  readonly url: string;
  readonly requests: Requests;
  readonly faults: Faults;
}

/** A server of a simulator. */
export interface SimulationServer {
  /** Once it has started; without a slash at its end. */
  readonly url: string;
  /** Puts a service behind it. Names are unique in a simulator: the control interface knows services by them. */
  serve(name: string, service: Service, options?: { readonly faults?: readonly Fault[] }): Served;
  /** For a server that is added while the simulator runs; the others start with it. */
  start(): Promise<void>;
  /** For a server that is removed while the simulator runs. */
  stop(): Promise<void>;
}

/** Loads the state of a simulator and gives it what all simulators stand on. */
export const simulation = async <S extends SimulatedState>(
  definition: SimulationDefinition<S>,
  options: SimulationOptions,
): Promise<Simulation<S>> => {
  const path = options.file;
  return new Simulation(
    definition,
    options,
    await StateFile.open({ simulator: definition.name, definition: definition.state, path }),
  );
};

/** Base of a simulator: state, time, network, machines and servers, with one life cycle. */
export class Simulation<S extends SimulatedState> {
  /** The account. Read it in tests; change it only to play events of the outside world. */
  readonly state: S;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly timers: Timers;
  readonly balancers = new Balancers();
  /** Behaviour of the inside of machines. */
  readonly guestPlans = new GuestPlans();
  readonly #definition: SimulationDefinition<S>;
  readonly #options: SimulationOptions;
  readonly #file: StateFile<S>;
  readonly #servers: SimulatedServer[] = [];
  readonly #services = new Map<string, ServedService>();
  readonly #machines: Pick<MachinePower<never>, "consolesSince" | "list" | "resume" | "stop">[] = [];
  readonly #consoles: Consoles;
  readonly #beforeStart: (() => Promise<void>)[] = [];
  readonly #waysIn: NetworkProxy[] = [];
  #block: LoopbackBlock | undefined;
  #authority: Promise<CertificateAndKey> | undefined;

  constructor(definition: SimulationDefinition<S>, options: SimulationOptions, file: StateFile<S>) {
    const { clock, random, log = silentLogger } = options;
    this.#definition = definition;
    this.#options = options;
    this.#file = file;
    this.state = file.state;
    this.clock = clock;
    this.random = random;
    this.log = log;
    this.timers = new Timers({ clock, log, state: this.state, save: () => this.save() });
    this.#consoles = new Consoles(() => clock.now());
  }

  /** Adds a server. The first has the control interface. */
  server(definition: ServerDefinition = {}): SimulationServer {
    const { address = "127.0.0.1", hostname = address, port = 0, tls = false } = definition;
    const server = new SimulatedServer({
      simulator: this.#definition.name,
      clock: this.clock,
      log: this.log,
      latencyMs: this.#options.latencyMs ?? 0,
      address,
      hostname,
      port,
      ...(tls ? { certificate: () => this.#certificate([...new Set([hostname, address])]) } : {}),
    });
    if (this.#servers.length === 0) server.add(planned(this.#control()));
    this.#servers.push(server);
    const names: string[] = [];
    return {
      get url() {
        return server.url;
      },
      serve: (name, service, { faults = [] } = {}) => {
        names.push(name);
        return this.#serve(server, name, planned(service, faults));
      },
      start: () => server.start(),
      stop: async () => {
        await server.stop();
        this.#servers.splice(this.#servers.indexOf(server), 1);
        for (const name of names) this.#services.delete(name);
      },
    };
  }

  /** Adds the power of a vendor's machines. Default delays: to provision 200 ms, to boot 300 ms, to shut down and to delete 100 ms. */
  machines<M>(model: MachineModel<M>, delays: Partial<PowerDelays> = {}): MachinePower<M> {
    const { clock, log, timers, guestPlans: plans } = this;
    const { guest } = this.#options;
    const all = { ...defaultDelays, ...delays };
    const consoles = this.#consoles;
    const power = new MachinePower({ model, delays: all, clock, log, timers, plans, consoles, guest });
    this.#machines.push(power);
    return power;
  }

  /**
   * Registers work on a loaded state that must be done before the servers answer, for example opening its load
   * balancers.
   */
  beforeStart(work: () => Promise<void>): void {
    this.#beforeStart.push(work);
  }

  /** Lets those outside reach what has an address in the networks of the cloud alone: returns their proxy for it. */
  wayIn(reach: Reach): ProxyFor {
    const way = new NetworkProxy(reach);
    this.#waysIn.push(way);
    return way.proxyFor;
  }

  newId(): number {
    return this.state.nextId++;
  }

  newUuid(): string {
    const hex = [...this.random.bytes(16)].map((byte, index) =>
      (index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte).toString(16).padStart(2, "0"),
    );
    return hex.join("").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  }

  /** A loopback address no one else has. To be asked for once the simulator has started. */
  newAddress(): string {
    return hostAddress(this.state.block, this.state.nextHost++);
  }

  /** Resolves once the state is in its file. */
  save(): Promise<void> {
    return this.#file.save();
  }

  /** The certificate, PEM, of the authority of its HTTPS servers, once one of them has started. */
  get certificateAuthority(): string | undefined {
    return this.state.authority?.certificate;
  }

  /** Opens everything and continues with what was under way. */
  async start(): Promise<void> {
    try {
      this.#block = await claimBlock(this.state.block, this.random, this.#definition.name);
      this.state.block = this.#block.block;
      await this.save();
      if (this.#options.file !== undefined) keepBlock(this.state.block, this.#options.file);
      for (const work of this.#beforeStart) await work();
      for (const each of [...this.#waysIn, ...this.#servers]) await each.start();
    } catch (error) {
      // Nothing is saved: the file may be another simulator's that runs.
      await this.#close();
      throw error;
    }
    for (const machines of this.#machines) machines.resume();
    this.timers.start();
  }

  /** Closes everything; machines are shut down but stay in the state. */
  async stop(): Promise<void> {
    try {
      await Promise.all(this.#servers.map((server) => server.stop()));
      this.timers.stop();
      await Promise.all(this.#machines.map((machines) => machines.stop()));
      await this.save();
    } finally {
      // Also where the state could not be saved: what stays open keeps the process alive.
      await this.#close();
    }
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#servers, ...this.#waysIn].map((each) => each.stop()));
    await this.balancers.closeAll();
    await this.#block?.release();
  }

  #serve(server: SimulatedServer, name: string, served: ServedService): Served {
    if (this.#services.has(name)) throw new Error(`the simulator has two services ${name}`);
    this.#services.set(name, served);
    server.add(served);
    const { requests, faults } = served;
    return {
      get url() {
        return server.url;
      },
      requests,
      faults,
    };
  }

  async #certificate(hosts: readonly string[]): Promise<CertificateAndKey> {
    const now = this.clock.now();
    this.#authority ??= this.#newAuthority(now);
    return issueServerCertificate(await this.#authority, hosts, now);
  }

  async #newAuthority(now: number): Promise<CertificateAndKey> {
    this.state.authority ??= await createServerAuthority(this.#definition.name, now);
    await this.save();
    return this.state.authority;
  }

  #control(): Service {
    return controlService({
      clock: this.clock,
      log: this.log,
      definition: this.#definition.control ?? {},
      services: this.#services,
      plans: this.guestPlans,
      timers: this.timers,
      consoles: (since) => ({
        next: this.#consoles.next,
        machines: this.#machines.flatMap((machines) => machines.consolesSince(since)),
      }),
      machines: () => this.#machines.flatMap((machines) => machines.list()),
      snapshot: () => this.state,
    });
  }
}

const defaultDelays: PowerDelays = { provisionMs: 200, bootMs: 300, shutdownMs: 100, deleteMs: 100 };

const planned = (service: Service, faults: readonly Fault[] = []): ServedService => ({
  service,
  faults: new FaultPlan(faults, { operations: service.operations ?? false }),
  requests: new RequestLog(),
  throttle: new Throttle(),
});

import { CapstanError } from "@capstan/contract";
import { CloudCalls } from "@capstan/testing";

/** A machine of this host, as its owner sees it. */
export interface HostedMachine {
  readonly id: string;
  readonly tag: string;
  /** Becomes its host name. */
  readonly name: string;
  /** The version of Kubernetes whose image it has. */
  readonly image: string;
  readonly userData: Uint8Array;
  /** Metadata in addition to its id and its name. Default: none. */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly address: string;
  readonly state: "off" | "starting" | "running" | "stopped" | "removing";
  /** Why it stopped. */
  readonly message?: string;
}

export interface HostedEndpoint {
  readonly tag: string;
  readonly host: string;
  readonly port: number;
  /** Names of the machines behind it. */
  readonly members: readonly string[];
}

/** Makes machines real. */
export interface Launcher {
  /** Resolves when its first process runs; `onEnd` is called when that has ended. */
  start(machine: HostedMachine, onEnd: (message: string) => void): Promise<void>;
  /** Ends what runs of it; resolves when nothing of it is left. */
  remove(machine: HostedMachine): Promise<void>;
  /** Passes connections to the endpoint on to what `members` says at the time. */
  serve(
    endpoint: Pick<HostedEndpoint, "host" | "port">,
    members: () => readonly HostedMachine[],
  ): Promise<{ close(): Promise<void> }>;
}

export interface MachineHostOptions {
  readonly launcher: Launcher;
  /** The first three numbers of the network of machines; the host is `.1`. */
  readonly network: string;
  /** Versions that there are images of. */
  readonly images: readonly string[];
}

export type HostOperation = "list" | "create" | "start" | "delete" | "balance" | "unbalance";

const firstAddress = 10;
const lastAddress = 250;
const firstPort = 16_443;

const refused = (code: string, reason: string, message: string): CapstanError =>
  new CapstanError({ code, reason, message, retry: { kind: "never" } });

/** Keeps machines of this host: what a cloud is elsewhere. */
export class MachineHost {
  readonly machines = new Map<string, HostedMachine>();
  readonly endpoints = new Map<string, HostedEndpoint>();
  readonly calls = new CloudCalls<HostOperation>();
  readonly #options: MachineHostOptions;
  readonly #work = new Set<Promise<void>>();
  readonly #balancers = new Map<string, { close(): Promise<void> }>();
  #made = 0;

  constructor(options: MachineHostOptions) {
    this.#options = options;
  }

  create(machine: Pick<HostedMachine, "tag" | "name" | "image" | "userData" | "metadata">): HostedMachine {
    if (!this.#options.images.includes(machine.image)) {
      const known = this.#options.images.join(", ");
      throw refused("host.image_unknown", "ImageUnknown", `spec.image ${machine.image} is not one of ${known}`);
    }
    this.#made += 1;
    const id = `i-${this.#made}`;
    const created: HostedMachine = { ...machine, id, address: this.#freeAddress(), state: "off" };
    this.machines.set(id, created);
    return created;
  }

  /** Starts a machine that is off. It continues by itself. */
  start(id: string): void {
    const machine = this.machines.get(id);
    if (machine?.state !== "off") return;
    this.#change(id, { state: "starting" });
    const stopped = (message: string): void => this.#change(id, { state: "stopped", message });
    this.#background(async () => {
      try {
        await this.#options.launcher.start(machine, stopped);
        if (this.machines.get(id)?.state === "starting") this.#change(id, { state: "running" });
      } catch (error) {
        stopped((error as Error).message);
      }
    });
  }

  /** Removes a machine whatever it is doing. It continues by itself, and again when it failed and is asked for again. */
  delete(id: string): void {
    const machine = this.machines.get(id);
    if (machine === undefined || machine.state === "removing") return;
    this.#change(id, { state: "removing" });
    this.#background(async () => {
      try {
        await this.#options.launcher.remove(machine);
        this.machines.delete(id);
      } catch (error) {
        this.machines.set(id, { ...machine, state: "stopped", message: (error as Error).message });
      }
    });
  }

  /** Makes an endpoint or changes who is behind it. */
  async balance(tag: string, members: readonly string[]): Promise<void> {
    const known = this.endpoints.get(tag);
    const endpoint = known ?? { tag, host: `${this.#options.network}.1`, port: this.#freePort(), members };
    this.endpoints.set(tag, { ...endpoint, members });
    if (known !== undefined) return;
    const running = (): readonly HostedMachine[] => {
      const names = this.endpoints.get(tag)?.members ?? [];
      return [...this.machines.values()].filter(({ name, state }) => state === "running" && names.includes(name));
    };
    this.#balancers.set(tag, await this.#options.launcher.serve(endpoint, running));
  }

  async unbalance(tag: string): Promise<void> {
    await this.#balancers.get(tag)?.close();
    this.#balancers.delete(tag);
    this.endpoints.delete(tag);
  }

  /** Removes every machine and endpoint; resolves when nothing is left. */
  async stop(): Promise<void> {
    for (const id of this.machines.keys()) this.delete(id);
    for (const tag of this.endpoints.keys()) await this.unbalance(tag);
    while (this.#work.size > 0) await Promise.all(this.#work);
  }

  #background(work: () => Promise<void>): void {
    const done = work().finally(() => this.#work.delete(done));
    this.#work.add(done);
  }

  #change(id: string, change: Partial<HostedMachine>): void {
    const machine = this.machines.get(id);
    // Its end is part of its removal.
    if (machine !== undefined && machine.state !== "removing") this.machines.set(id, { ...machine, ...change });
  }

  #freeAddress(): string {
    const taken = new Set([...this.machines.values()].map(({ address }) => address));
    for (let last = firstAddress; last <= lastAddress; last += 1) {
      const address = `${this.#options.network}.${last}`;
      if (!taken.has(address)) return address;
    }
    throw refused("host.network_full", "NetworkFull", `all addresses of ${this.#options.network}.0/24 are taken`);
  }

  #freePort(): number {
    const taken = new Set([...this.endpoints.values()].map(({ port }) => port));
    let port = firstPort;
    while (taken.has(port)) port += 1;
    return port;
  }
}

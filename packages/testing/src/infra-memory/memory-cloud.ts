import type { Clock } from "@capstan/contract";
import type { CallFault } from "../cloud-calls.ts";
import { CloudCalls, memoryError } from "../cloud-calls.ts";

export interface MemoryServer {
  readonly id: string;
  readonly tag: string;
  /** Further tags. */
  readonly tags: readonly string[];
  readonly name: string;
  readonly size: string;
  /** As it was given, for example cloud-init user-data. */
  readonly userData: Uint8Array;
  readonly state: "off" | "booting" | "running";
  readonly addresses: readonly string[];
}

export interface NewMemoryServer {
  readonly tag: string;
  /** Further tags. Default: none. */
  readonly tags?: readonly string[];
  readonly name: string;
  readonly size?: string;
  readonly userData: Uint8Array;
}

export interface MemoryLoadBalancer {
  readonly tag: string;
  readonly host: string;
  readonly port: number;
  /** Names of the servers behind it. */
  readonly members: readonly string[];
}

export type MemoryOperation = "list" | "create" | "boot" | "tag" | "delete" | "balance" | "unbalance";

export type MemoryFault = CallFault<MemoryOperation>;

export interface MemoryCloudOptions {
  readonly clock: Clock;
  /** From the boot command to running. Default 0: at once. */
  readonly bootMs?: number;
  /** Tokens that are accepted; `undefined`: everybody is. */
  readonly tokens?: readonly string[];
  /** User-data must stay below. Default 16 384. */
  readonly userDataLimitBytes?: number;
  /** Called when a server starts for the first time: a model of the guest can read its user-data here. */
  readonly onBoot?: (server: MemoryServer) => void;
  /** Called when a server that has started is deleted. */
  readonly onDelete?: (server: MemoryServer) => void;
  /** Address of a new server, the first of which has the ordinal 1. Default: of 10.0.0.0/24. */
  readonly addressOf?: (ordinal: number) => string;
  /** Address of the endpoint of a new load balancer. Default: one of 203.0.113.0/24, port 6443. */
  readonly endpoint?: (tag: string) => { readonly host: string; readonly port: number };
}

/** A cloud in the memory of this process. */
export class MemoryCloud {
  readonly servers = new Map<string, MemoryServer>();
  readonly loadBalancers = new Map<string, MemoryLoadBalancer>();
  readonly calls = new CloudCalls<MemoryOperation>();
  readonly #options: MemoryCloudOptions;
  #created = 0;

  constructor(options: MemoryCloudOptions) {
    this.#options = options;
  }

  get userDataLimitBytes(): number {
    return this.#options.userDataLimitBytes ?? 16_384;
  }

  accepts(token: string | undefined): boolean {
    return this.#options.tokens?.includes(token ?? "") ?? true;
  }

  create(server: NewMemoryServer): MemoryServer {
    if (server.userData.length >= this.userDataLimitBytes) {
      throw memoryError("user_data_too_large", "UserDataTooLarge", "the user-data is too large", "never");
    }
    this.#created += 1;
    const id = String(this.#created);
    const { addressOf = (ordinal) => `10.0.0.${ordinal}` } = this.#options;
    const addresses = [addressOf(this.#created)];
    const created: MemoryServer = { id, state: "off", addresses, size: "small", tags: [], ...server };
    this.servers.set(id, created);
    return created;
  }

  /** Starting a server that runs changes nothing. */
  boot(id: string): void {
    const server = this.servers.get(id);
    if (server?.state !== "off") return;
    this.#change(id, "booting");
    const { bootMs = 0, clock, onBoot } = this.#options;
    const run = (): void => {
      if (!this.servers.has(id)) return;
      this.#change(id, "running");
      onBoot?.(this.servers.get(id) ?? server);
    };
    if (bootMs === 0) run();
    else clock.schedule(bootMs, run);
  }

  tag(id: string, tags: readonly string[]): void {
    const server = this.servers.get(id);
    if (server !== undefined) this.servers.set(id, { ...server, tags });
  }

  delete(id: string): void {
    const server = this.servers.get(id);
    this.servers.delete(id);
    if (server?.state === "running") this.#options.onDelete?.(server);
  }

  balance(tag: string, members: readonly string[]): void {
    const known = this.loadBalancers.get(tag);
    const place = known ??
      this.#options.endpoint?.(tag) ?? { host: `203.0.113.${this.loadBalancers.size + 1}`, port: 6443 };
    this.loadBalancers.set(tag, { tag, host: place.host, port: place.port, members });
  }

  #change(id: string, state: MemoryServer["state"]): void {
    const server = this.servers.get(id);
    if (server !== undefined) this.servers.set(id, { ...server, state });
  }
}

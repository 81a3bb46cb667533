import type { Clock } from "@capstan/contract";
import { CapstanError } from "@capstan/contract";

export interface MemoryServer {
  readonly id: string;
  readonly tag: string;
  readonly name: string;
  readonly size: string;
  /** As it was given, for example cloud-init user-data. */
  readonly userData: Uint8Array;
  readonly state: "off" | "booting" | "running";
  readonly addresses: readonly string[];
}

export interface NewMemoryServer {
  readonly tag: string;
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

export type MemoryOperation = "list" | "create" | "boot" | "delete" | "balance" | "unbalance";

/** A disturbance of the next calls of an operation. */
export interface MemoryFault {
  readonly operation: MemoryOperation | "any";
  /** Calls to let pass first. Default 0. */
  readonly skip?: number;
  /** Calls to disturb. Default 1. */
  readonly times?: number;
  /** `refuse`: nothing happens; `lose`: it happens, but the answer is an error; `hang`: nothing until the caller gives up. */
  readonly kind: "refuse" | "lose" | "hang";
  /** Default: `memory.unavailable`, to be tried again. */
  readonly error?: CapstanError;
}

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

interface Pending {
  left: number;
  skip: number;
  readonly fault: MemoryFault;
}

export const memoryError = (code: string, reason: string, message: string, retry: "never" | "backoff"): CapstanError =>
  new CapstanError({ code: `memory.${code}`, reason, message, retry: { kind: retry } });

/** A cloud in the memory of this process. */
export class MemoryCloud {
  readonly servers = new Map<string, MemoryServer>();
  readonly loadBalancers = new Map<string, MemoryLoadBalancer>();
  /** Every call, in order, for example `create` or `boot`. */
  readonly calls: MemoryOperation[] = [];
  /** Called at the beginning and at the end of every operation; may throw, as a process that dies there would. */
  onCall: (operation: MemoryOperation, phase: "before" | "after") => void = () => undefined;
  readonly #options: MemoryCloudOptions;
  readonly #faults: Pending[] = [];
  #created = 0;

  constructor(options: MemoryCloudOptions) {
    this.#options = options;
  }

  get userDataLimitBytes(): number {
    return this.#options.userDataLimitBytes ?? 16_384;
  }

  /** Adds a disturbance; several of the same operation come one after another. */
  disturb(fault: MemoryFault): void {
    this.#faults.push({ fault, left: fault.times ?? 1, skip: fault.skip ?? 0 });
  }

  accepts(token: string | undefined): boolean {
    return this.#options.tokens?.includes(token ?? "") ?? true;
  }

  /** One call: with faults, hooks and the caller's patience. */
  async call<T>(operation: MemoryOperation, work: () => T, options: { readonly signal: AbortSignal }): Promise<T> {
    await Promise.resolve();
    options.signal.throwIfAborted();
    this.calls.push(operation);
    this.onCall(operation, "before");
    const fault = this.#nextFault(operation);
    const error = fault?.error ?? memoryError("unavailable", "Unavailable", `${operation} is not available`, "backoff");
    if (fault?.kind === "hang") await untilAborted(options.signal);
    if (fault?.kind === "refuse") throw error;
    const result = work();
    this.onCall(operation, "after");
    if (fault?.kind === "lose") throw error;
    return result;
  }

  create(server: NewMemoryServer): MemoryServer {
    if (server.userData.length >= this.userDataLimitBytes) {
      throw memoryError("user_data_too_large", "UserDataTooLarge", "the user-data is too large", "never");
    }
    this.#created += 1;
    const id = String(this.#created);
    const { addressOf = (ordinal) => `10.0.0.${ordinal}` } = this.#options;
    const addresses = [addressOf(this.#created)];
    const created: MemoryServer = { id, state: "off", addresses, size: "small", ...server };
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

  #nextFault(operation: MemoryOperation): MemoryFault | undefined {
    const due = this.#faults.find(({ fault, left }) => left > 0 && [operation, "any"].includes(fault.operation));
    if (due === undefined) return undefined;
    if (due.skip > 0) {
      due.skip -= 1;
      return undefined;
    }
    due.left -= 1;
    return due.fault;
  }
}

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
  });

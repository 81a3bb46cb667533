import type { Clock } from "@capstan/contract";
import type { PoolHost } from "./claimed-kinds.ts";

export type HostState = NonNullable<NonNullable<PoolHost["status"]>["state"]>;

export interface PoolHardwareOptions {
  readonly clock: Clock;
  /** From power on to running. Default 3000. */
  readonly bootMs?: number;
  /** From power off to off. Default 1000. */
  readonly stopMs?: number;
  /** Called when a host runs: a model of the guest can read its user-data here. */
  readonly onBoot?: (uid: string, userData: string) => void;
}

/** The hardware behind the hosts of a pool, in the memory of this process. */
export class PoolHardware {
  readonly #options: PoolHardwareOptions;
  /** By uid of the host; those that were never powered on are off. */
  readonly #states = new Map<string, HostState>();

  constructor(options: PoolHardwareOptions) {
    this.#options = options;
  }

  stateOf(uid: string): HostState {
    return this.#states.get(uid) ?? "off";
  }

  /** Powering on what is not off changes nothing. */
  powerOn(uid: string, userData: string): void {
    const { bootMs = 3000, onBoot } = this.#options;
    if (this.stateOf(uid) !== "off") return;
    this.#goThrough(uid, "booting", "running", bootMs, () => onBoot?.(uid, userData));
  }

  /** Powering off what is off, or will be, changes nothing. */
  powerOff(uid: string): void {
    const { stopMs = 1000 } = this.#options;
    if (["off", "stopping"].includes(this.stateOf(uid))) return;
    this.#goThrough(uid, "stopping", "off", stopMs);
  }

  /** The host no longer exists. */
  remove(uid: string): void {
    this.#states.delete(uid);
  }

  #goThrough(uid: string, first: HostState, then: HostState, ms: number, onEnd?: () => void): void {
    this.#states.set(uid, first);
    this.#options.clock.schedule(ms, () => {
      if (this.stateOf(uid) !== first) return;
      this.#states.set(uid, then);
      onEnd?.();
    });
  }
}

import type { Clock } from "@capstan/contract";
import type { GuestMachineV1 } from "@capstan/contract/v1";

/** A machine that a simulator has started, as its guest model sees it. */
export interface GuestMachine extends GuestMachineV1 {
  /** What belongs together at the vendor, a resource group for example; empty where there is no such thing. */
  readonly group: string;
  /** It was started before the simulator was restarted: the guest goes on where it was, nothing is bootstrapped twice. */
  readonly resumed: boolean;
  /** What was planned for it. The simulator has done its part; the vendor's own fields are for the guest. */
  readonly plan: Readonly<Record<string, unknown>>;
  readonly clock: Clock;
}

/** Plays the inside of the machines of a simulator, which waits for neither call. Every `GuestHostV1` is one. */
export interface GuestHost {
  boot(machine: GuestMachine): void | Promise<void>;
  /** The machine is off, and with `keepDisk` may start again; without, it is gone. An unknown id is success. */
  shutdown(id: string, options?: { readonly keepDisk?: boolean }): void | Promise<void>;
}

import type { Clock } from "@capstan/contract";
import type { GuestHostV1, GuestMachineV1 } from "@capstan/contract/v1";

/** A machine that a simulator has started, as its guest model sees it. */
export interface GuestMachine extends GuestMachineV1 {
  /** The group that the vendor puts it in, for example a resource group; empty where there are none. */
  readonly group: string;
  /** It was started before the simulator was restarted: the guest continues where it was, nothing is bootstrapped twice. */
  readonly resumed: boolean;
  /** The plan for it. The simulator has carried out its part; the vendor's own fields are for the guest. */
  readonly plan: Readonly<Record<string, unknown>>;
  readonly clock: Clock;
}

/** Plays the inside of the machines of a simulator, which waits neither for a boot nor for a shutdown. Every `GuestHostV1` is one. */
export interface GuestHost extends Pick<GuestHostV1, "connect" | "disk" | "run" | "shutdown"> {
  boot(machine: GuestMachine): void | Promise<void>;
}

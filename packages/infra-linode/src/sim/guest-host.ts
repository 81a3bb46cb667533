import type { Clock } from "@capstan/contract";

/** A machine that a simulator has started, as its guest model sees it. */
export interface GuestMachine {
  /** The cloud's id of the machine; what `shutdown` is called with. */
  readonly id: string;
  readonly name: string;
  /** What the machine's metadata service answers: `instance-id`, `label`, `region`, `type`, `local-hostname`, `local-ipv4`. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Standard base64, exactly as it was given to the cloud; empty if none was. */
  readonly userData: string;
  /** A loopback address that is the machine's alone; its servers listen there. */
  readonly address: string;
  /** What the node's `spec.providerID` will be. */
  readonly providerID: string;
  /** It was started before the simulator was restarted: the guest goes on where it was, nothing is bootstrapped twice. */
  readonly resumed: boolean;
  readonly clock: Clock;
  /** One line of the machine's serial console. */
  readonly console: (line: string) => void;
}

/** Plays the inside of the machines of a simulator. Neither call is waited for by the simulated API. */
export interface GuestHost {
  boot(machine: GuestMachine): void | Promise<void>;
  /** The machine is off, and with `keepDisk` may start again; without, it is gone. An unknown id is success. */
  shutdown(id: string, options?: { readonly keepDisk?: boolean }): void | Promise<void>;
}

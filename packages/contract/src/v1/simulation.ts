import type { Clock, Random } from "../clock.ts";
import type { Logger } from "../logger.ts";
import type { ProxyFor } from "../proxy.ts";
import type { SimulatedCloudV1 } from "./outside.ts";

/** A machine that a simulated cloud has started, as what plays its inside sees it. */
export interface GuestMachineV1 {
  /** The cloud's id of the machine; a restart with the same id finds its disk again. */
  readonly id: string;
  /** What the cloud calls it. */
  readonly name: string;
  /** What the machine's metadata service answers, for example `instance-id`, `label`, `region`, `local-hostname`. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Standard base64, exactly as it was given to the cloud; empty if none was. */
  readonly userData: string;
  /** An address of this host that is the machine's alone; its servers listen there. */
  readonly address: string;
  /** What the node's `spec.providerID` will be. */
  readonly providerID: string;
  /** The address of this host that stands for a name or an address of the machine's network. Default: none does. */
  readonly resolve?: (host: string) => string | undefined;
  /** Is given every line of the machine's serial console. */
  readonly console: (line: string) => void;
}

/** What a command that ran inside a machine has left behind. */
export interface GuestRunV1 {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a script inside a machine finds otherwise than it is. */
export interface GuestRunOptionsV1 {
  /** Files that are not there for it. */
  readonly hidden?: readonly string[];
  /** The machine is for it as if nothing had happened there yet. */
  readonly blank?: boolean;
  /** Relative paths begin here. Default: the root. */
  readonly directory?: string;
  /** Stand for `$NAME` and `${NAME}`. Default: what looks so stays as it is. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The files of a machine that runs, by absolute path. */
export interface GuestDiskV1 {
  stat(path: string): { readonly bytes: Uint8Array } | undefined;
  /** `permissions`: octal, default 0644. */
  write(path: string, content: Uint8Array | string, options?: { readonly permissions?: string }): void;
  /** Whether there was one. */
  remove(path: string): boolean;
}

/** Plays the inside of the machines of one simulated cloud, which waits neither for a boot nor for a shutdown. */
export interface GuestHostV1 {
  boot(machine: GuestMachineV1): void | Promise<void>;
  /** The machine is off, and with `keepDisk` may start again; without, it is gone. An unknown id is success. */
  shutdown(id: string, options?: { readonly keepDisk?: boolean }): void | Promise<void>;
  /**
   * Runs a script of the shell inside a machine, as an agent of its cloud does, and waits for its end; `undefined`: nothing runs there, or
   * not any more. Default: the machines have no agent.
   */
  run?(id: string, script: string, options?: GuestRunOptionsV1): Promise<GuestRunV1 | undefined>;
  /** The disk of a machine that is on; `undefined`: it is not. Default: nobody looks inside. */
  disk?(id: string): GuestDiskV1 | undefined;
}

/** Everything that the application gives to the factory of a simulation. Names are those of the cloud, or begin with it: `acme-store`. */
export interface SimulationOutsideV1 {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** The folder in which the state of this name is kept, so that the next run goes on with it; `undefined`: in memory only. */
  readonly folder: (name: string) => string | undefined;
  /**
   * A free port for a server of this name: the one that it had last time, if `urls` of the simulation named it; 0 stands for any. The
   * first name asked for is that of the cloud's API: it gets the port that was asked for on the command line.
   */
  readonly port: (name: string) => Promise<number>;
  /** Plays the inside of the machines; it is stopped after the simulation. */
  readonly guest: (name: string) => GuestHostV1;
  /** What an account that is still empty begins with, as the simulation documents it; `undefined`: as the simulation thinks fit. */
  readonly seed: (name: string) => unknown;
}

/** A cloud that runs beside the management API in place of the vendor's: real HTTP on loopback. */
export interface SimulationV1 {
  readonly contract: "v1";
  /** Name of the cloud, for example `linode`; providers ask for it by this name. */
  readonly name: string;
  /** Loads the state, opens the servers and goes on with what was under way. What follows is known afterwards. */
  start(): Promise<void>;
  /** Closes everything; with a folder, the next run goes on from here. */
  stop(): Promise<void>;
  /** One line for people: what runs where. */
  readonly description: string;
  /** Where its servers are, by the names of their ports. */
  readonly urls: Readonly<Record<string, string>>;
  /** How providers reach it. */
  readonly cloud: SimulatedCloudV1;
  /** The HTTP proxy on the way to what is reached inside of the cloud's networks alone. Default: everything is reached from outside. */
  readonly proxyFor?: ProxyFor;
  /** Address of the control interface of `@capstan/simulation`, without a slash at its end. Default: it has none. */
  readonly control?: string;
  /**
   * What manifests and clients for the real cloud take from the environment: addresses, tokens, names of buckets. They stand for
   * `${NAME}` in manifests, and the application writes them to a file for other programs.
   */
  readonly variables: Readonly<Record<string, string>>;
}

/** What a module exports as `createSimulation` so that the command can load it with `--simulate`. It serves nothing before `start`. */
export type CreateSimulationV1 = (outside: SimulationOutsideV1) => SimulationV1 | Promise<SimulationV1>;

import type { Clock, Random } from "../clock.ts";
import type { Logger } from "../logger.ts";
import type { ProxyFor } from "../proxy.ts";
import type { SimulatedCloudV1 } from "./outside.ts";

/** A machine that a simulated cloud has started, as what plays its inside sees it. */
export interface GuestMachineV1 {
  /** The cloud's id of the machine; a restart with the same id finds its disk again. */
  readonly id: string;
  /** Its name at the cloud. */
  readonly name: string;
  /** Responses of the machine's metadata service, for example `instance-id`, `label`, `region`, `local-hostname`. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Standard base64, exactly as it was given to the cloud; empty if none was. */
  readonly userData: string;
  /** An address of this host that is the machine's alone; its servers listen there. */
  readonly address: string;
  /** The node's `spec.providerID`. */
  readonly providerID: string;
  /** The address of this host that stands for a name or an address of the machine's network. Default: none does. */
  readonly resolve?: (host: string) => string | undefined;
  /**
   * The image of its disk, as its cloud names it: `linode/ubuntu22.04`, a resource id or `publisher:offer:sku` of Azure, a URL.
   * Default: unknown; the machine then has every program, and nothing is checked.
   */
  readonly image?: string;
  /** Its hardware. Default: unknown. */
  readonly hardware?: { readonly cpus: number; readonly memoryMiB: number };
  /** Is given every line of the machine's serial console. */
  readonly console: (line: string) => void;
}

/** Result of a command that ran inside a machine. */
export interface GuestRunV1 {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Overrides of what a script finds inside a machine. */
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
  /** Returns whether there was one. */
  remove(path: string): boolean;
}

/** A container of a workload cluster. */
export interface GuestContainerV1 {
  readonly image: string;
  /** The program and its arguments, as far as the Pod names them. */
  readonly command: readonly string[];
}

/** A container with what it finds around it. */
export interface StartingContainerV1 extends GuestContainerV1 {
  readonly environment: Readonly<Record<string, string>>;
  /** The text of a file of its machine, where the Pod mounts a folder above it; `undefined`: it is not there. */
  readonly file: (path: string) => string | undefined;
}

/**
 * Tasks of a cloud's controller in a cluster: `nodes` initializes Nodes, `own-node` the one that it runs on, `lifecycle` deletes those
 * whose instances are gone, `services` serves Services of type LoadBalancer.
 */
export type CloudDutyV1 = "nodes" | "own-node" | "lifecycle" | "services";

/** A cloud's description of the instance behind a Node. */
export interface CloudInstanceV1 {
  readonly providerID: string;
  /** The size or plan. */
  readonly type: string;
  readonly region: string;
  /** Default: its cloud has no zones. */
  readonly zone?: string;
  readonly addresses: readonly { readonly type: string; readonly address: string }[];
  /** It is there, but switched off. */
  readonly isOff: boolean;
  /** Further labels of its Node. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** A Service of type LoadBalancer, and the Nodes behind it. */
export interface BalancedServiceV1 {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  /** As the controller's `--cluster-name` says. Default `kubernetes`. */
  readonly cluster: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly ports: readonly {
    readonly name: string;
    readonly protocol: string;
    readonly port: number;
    /** Where every Node listens for it. */
    readonly nodePort: number;
  }[];
  /** Where every Node says whether it has a Pod of the Service; `undefined`: all Nodes are alike. */
  readonly healthCheckNodePort: number | undefined;
  readonly nodes: readonly {
    readonly name: string;
    readonly providerID: string;
    /** Its status. */
    readonly addresses: readonly { readonly type: string; readonly address: string }[];
  }[];
}

/** A Service that no longer needs a load balancer. */
export type UnbalancedServiceV1 = Omit<BalancedServiceV1, "healthCheckNodePort" | "nodes">;

/** A connection that a machine opens. */
export interface GuestWayV1 {
  /** The address of the machine on this computer. */
  readonly from: string;
  /** The address on this computer of what it connects to; of what has none here, the name or the address as the machine has it. */
  readonly to: string;
  readonly port: number;
  /** Default `TCP`. `UDP` at port 53 is a question to the resolver of the cloud, whose name or address `to` is not known. */
  readonly protocol?: "TCP" | "UDP";
}

/** The cloud, as its controllers in workload clusters see it. */
export interface GuestCloudV1 {
  /** Also what its provider ids begin with, before `://`. */
  readonly name: string;
  /** Returns the behaviour of a container by its image and arguments; `undefined` if it is not a controller of this cloud. */
  controller(container: GuestContainerV1): readonly CloudDutyV1[] | undefined;
  /** Why a controller ends as soon as it starts, in its own words, for example without a token. `undefined`: it runs. */
  refusal(container: StartingContainerV1): string | undefined;
  /** The instance of a Node, by its provider id, else by its name; `undefined`: there is none. */
  instance(node: { readonly name: string; readonly providerID?: string | undefined }): CloudInstanceV1 | undefined;
  /** Makes the load balancer of a Service what it has to be, and answers where it is reached. Throws in the cloud's words. */
  balance(
    service: BalancedServiceV1,
    controller: StartingContainerV1,
  ): Promise<readonly { readonly ip?: string; readonly hostname?: string }[]>;
  /**
   * Returns whether the cloud's networks and firewalls let a machine connect to a port: of another machine, of a load balancer, of a host on the
   * internet. Ends that are none of its own are on the internet. Default: they always do.
   */
  passes?(way: GuestWayV1): boolean;
  /** Deletes the load balancer of a Service; one that is not there is success. */
  unbalance(service: UnbalancedServiceV1, controller: StartingContainerV1): Promise<void>;
}

/** Plays the inside of the machines of one simulated cloud, which waits neither for a boot nor for a shutdown. */
export interface GuestHostV1 {
  /** Lets the cloud's controllers that run in the clusters of its machines work. Default: no such controller has anything to work with. */
  connect?(cloud: GuestCloudV1): void;
  boot(machine: GuestMachineV1): void | Promise<void>;
  /** The machine is off, and with `keepDisk` may start again; without, it is gone. An unknown id is success. */
  shutdown(id: string, options?: { readonly keepDisk?: boolean }): void | Promise<void>;
  /**
   * Runs a script of the shell inside a machine, as an agent of its cloud does, and waits for its end; `undefined`:
   * nothing is running there. Default: the machines have no agent.
   */
  run?(id: string, script: string, options?: GuestRunOptionsV1): Promise<GuestRunV1 | undefined>;
  /** The disk of a machine that is on; `undefined`: it is off. Default: the disk is not accessible. */
  disk?(id: string): GuestDiskV1 | undefined;
}

/** Everything that the application gives to the factory of a simulation. Names are those of the cloud, or begin with it: `acme-store`. */
export interface SimulationOutsideV1 {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** The folder in which the state of this name is kept, so that the next run continues with it; `undefined`: in memory only. */
  readonly folder: (name: string) => string | undefined;
  /**
   * A free port for a server of this name: the one that it had last time, if `urls` of the simulation named it; 0 stands for any. The
   * first name asked for is that of the cloud's API: it gets the port that was asked for on the command line.
   */
  readonly port: (name: string) => Promise<number>;
  /** Plays the inside of the machines; it is stopped after the simulation. */
  readonly guest: (name: string) => GuestHostV1;
  /** Initial state of an empty account, in the format that the simulation documents; `undefined`: its default. */
  readonly seed: (name: string) => unknown;
}

/** A cloud that runs next to the management API instead of the vendor's: real HTTP on loopback. */
export interface SimulationV1 {
  readonly contract: "v1";
  /** Name of the cloud, for example `linode`; providers ask for it by this name. */
  readonly name: string;
  /** Loads the state, opens the servers and continues with what was under way. What follows is known afterwards. */
  start(): Promise<void>;
  /** Closes everything; with a folder, the next run continues from here. */
  stop(): Promise<void>;
  /** One line for people: what runs where. */
  readonly description: string;
  /** Where its servers are, by the names of their ports. */
  readonly urls: Readonly<Record<string, string>>;
  /** Access for providers. */
  readonly cloud: SimulatedCloudV1;
  /** The HTTP proxy on the way to what is reached inside of the cloud's networks alone. Default: everything is reached from outside. */
  readonly proxyFor?: ProxyFor;
  /** Address of the control interface of `@capstan/simulation`, without a slash at its end. Default: it has none. */
  readonly control?: string;
  /**
   * Values that manifests and clients of the real cloud take from the environment: addresses, tokens, names of buckets. They stand for
   * `${NAME}` in manifests, and the application writes them to a file for other programs.
   */
  readonly variables: Readonly<Record<string, string>>;
}

/** A module exports this as `createSimulation` to be loaded with `--simulate`. It serves nothing before `start`. */
export type CreateSimulationV1 = (outside: SimulationOutsideV1) => SimulationV1 | Promise<SimulationV1>;

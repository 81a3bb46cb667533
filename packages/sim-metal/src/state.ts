import type { Power, SimulatedState, StateDefinition } from "@capstan/simulation";

/** Boot device requested of the firmware, in the terms Redfish and Tinkerbell share. */
export type BootDevice = "pxe" | "disk" | "cdrom" | "bios" | "safe";

export interface StoredFile {
  readonly content: string;
  /** Octal, as it was given. */
  readonly mode?: string;
}

/** A virtual disk: what was written on it as a whole, and files that were put into it. */
export interface StoredDisk {
  /** For example `/dev/sda`. */
  readonly device: string;
  /** Where the image on it came from; a disk without one does not boot. */
  image?: string;
  /** By absolute path. */
  files: Record<string, StoredFile>;
}

/** Medium that a machine can boot. */
export type BootMedium =
  | { readonly kind: "network" }
  | { readonly kind: "disk"; readonly image: string }
  | { readonly kind: "media"; readonly url: string };

/** Hardware that the preflight checks of kubeadm read. */
export interface MachineHardware {
  readonly cpus: number;
  readonly memoryMiB: number;
}

/** Default hardware of machines whose seed has none. */
export const usualHardware: MachineHardware = { cpus: 2, memoryMiB: 4096 };

export interface StoredBmc {
  /** `redfish`: HTTPS at its own address; `rpc`: by the rack's webhook. */
  readonly kind: "redfish" | "rpc";
  readonly username: string;
  readonly password: string;
  /** With which calls of the webhook are signed. */
  readonly secret: string;
  address: string;
  /** Power state that Redfish reports instead of the real one, for example `null` (unknown) or `PoweringOff`. */
  powerSaid?: string | null;
}

/** A computer in the rack. It is never removed: it has power or not. */
export interface StoredMachine {
  readonly name: string;
  /** Lower case, with colons. */
  readonly mac: string;
  readonly arch: "x86_64" | "aarch64";
  readonly uefi: boolean;
  /** Absent in a rack that was saved before machines had any: `usualHardware`. */
  readonly hardware?: MachineHardware;
  readonly bmc?: StoredBmc;
  readonly disks: StoredDisk[];
  /** The loopback address that stands for its network interface; empty before the first start. */
  address: string;
  power: Power;
  /** First in the boot order. */
  bootDevice: BootDevice;
  /** For the next boot only. */
  oneTimeBootDevice?: BootDevice;
  /** URL of what is in its virtual CD drive. */
  virtualMedia?: string;
  /** Medium of the current boot. */
  bootedFrom?: BootMedium;
  /** Provider ID of the kubelet on its disk. */
  providerID?: string;
  /** Files that an agent on the host keeps on its disk, in base64 by absolute path. */
  agentFiles?: Record<string, string>;
}

/** The rack: its machines and the addresses in its network. Plain JSON, saved as it is. */
export interface RackState extends SimulatedState {
  readonly version: 1;
  machines: StoredMachine[];
  /** Where the rack's network expects the provisioning services; empty before the first start. */
  services: string;
  /** The virtual address of the control plane. */
  virtualAddress: string;
  /** Configurations of agents on boot media, by registration. */
  bootMedia?: Record<string, string>;
}

export const rackState: StateDefinition<RackState> = {
  version: 1,
  empty: () => ({ machines: [], services: "", virtualAddress: "" }),
};

import type { Power, SimulatedState, StateDefinition } from "@capstan/simulation";

/** What firmware is asked to boot from, in Redfish's and Tinkerbell's common words. */
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

/** What a machine can boot from, and was booted from. */
export type BootMedium =
  | { readonly kind: "network" }
  | { readonly kind: "disk"; readonly image: string }
  | { readonly kind: "media"; readonly url: string };

/** What kubeadm asks of a machine before it begins. */
export interface MachineHardware {
  readonly cpus: number;
  readonly memoryMiB: number;
}

/** Of machines whose seed says nothing. */
export const usualHardware: MachineHardware = { cpus: 2, memoryMiB: 4096 };

export interface StoredBmc {
  /** `redfish`: HTTPS at its own address; `rpc`: by the rack's webhook. */
  readonly kind: "redfish" | "rpc";
  readonly username: string;
  readonly password: string;
  /** With which calls of the webhook are signed. */
  readonly secret: string;
  address: string;
  /** What Redfish says of the power in place of the truth, for example `null` while it does not know, or `PoweringOff`. */
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
  /** What the present boot began with. */
  bootedFrom?: BootMedium;
  /** What the kubelet on its disk says it is. */
  providerID?: string;
  /** What an agent of the host itself keeps on its disk, by absolute path: base64. */
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

/** An operating system, by the `ID` of its `/etc/os-release`. */
export type SystemId =
  | "ubuntu"
  | "debian"
  | "almalinux"
  | "rocky"
  | "rhel"
  | "centos"
  | "fedora"
  | "opensuse-leap"
  | "sles";

/** Content of an image. */
export interface GuestImage {
  /** Names of the image as its cloud has them; `*` stands for any characters. Compared without regard to case. */
  readonly names: readonly string[];
  readonly system: SystemId;
  /** For example `22.04`. */
  readonly release: string;
  /** Versions by the names of programs, beside those that the system brings: `{ kubeadm: "v1.34.2", kubelet: "v1.34.2" }`. */
  readonly programs?: Readonly<Record<string, string>>;
  /** Services that start with it. */
  readonly services?: readonly string[];
  /** Modules of the kernel that are loaded, and settings of it. Default: as in a stock image. */
  readonly kernel?: { readonly modules: readonly string[]; readonly settings: Readonly<Record<string, string>> };
  /** True if it swaps. Default false. */
  readonly swap?: boolean;
}

/** Data that a cloud hands over when a machine starts. */
export interface BootRequest {
  /** The cloud's own id of the machine; a restart with the same id finds its disk again. */
  readonly id: string;
  /** Name of the machine at the cloud. */
  readonly name?: string;
  /** Instance metadata as the cloud's metadata service gives it, for example `label`, `region`, `local-hostname`, `instance-id`. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Standard base64, as clouds take and give it; empty if there is none. */
  readonly userData: string;
  /** IP address of this host that stands for the machine's own. */
  readonly address: string;
  /** Provider ID that the cloud's controller manager writes to `Node.spec.providerID`; empty if there is none. */
  readonly providerID: string;
  /** The address of this host that stands for a name or an address of the machine's network. Default: none does. */
  readonly resolve?: (host: string) => string | undefined;
  /**
   * Source of its disk, as its cloud names it: `linode/ubuntu22.04`, a resource ID or `publisher:offer:sku` of Azure, a URL.
   * Default: unknown; the machine then has every program, and nothing is checked.
   */
  readonly image?: string;
  /** CPUs and memory of the machine. Default: unknown. */
  readonly hardware?: { readonly cpus: number; readonly memoryMiB: number };
  /** Is given every line of the machine's console as well, for the cloud's own console log. */
  readonly console?: (line: string) => void;
}

/** Where a machine is on its way. */
export type MachineState = "booting" | "running" | "failed" | "off";

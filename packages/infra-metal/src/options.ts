import type { ElementalOptions } from "./elemental/options.ts";

/** How the provider works. */
export interface MetalProviderOptions {
  /** Where systems that were just installed find their metadata, for example `http://10.0.0.5:7080`. Default: only templates of users' own say. */
  readonly metadataUrl?: string;
  /**
   * Where Jobs of board management are made that switch machines off whose namespaces are being deleted: a namespace that stays, and that
   * Tinkerbell's board management controller watches. Default `kube-system`.
   */
  readonly powerOffNamespace?: string;
  /**
   * Namespaces whose Hardware machines of other namespaces may take, beside those whose Namespace has the label `capstan.dev/hardware=shared`;
   * `*` stands for all, as upstream has it. Default: none.
   */
  readonly sharedNamespaces?: readonly string[];
  /** Machines and clusters reconciled at once. Default 20 and 10. */
  readonly machineConcurrency?: number;
  readonly clusterConcurrency?: number;
  /** Of hosts that register by agents of their own. Default: the Elemental API is not served. */
  readonly elemental?: ElementalOptions;
}

import type { ElementalOptions } from "./elemental/options.ts";

/** How the provider works. */
export interface MetalProviderOptions {
  /** Where systems that were just installed find their metadata, for example `http://10.0.0.5:7080`. Default: only templates of users' own say. */
  readonly metadataUrl?: string;
  /** Machines and clusters reconciled at once. Default 20 and 10. */
  readonly machineConcurrency?: number;
  readonly clusterConcurrency?: number;
  /** Of hosts that register by agents of their own. Default: the Elemental API is not served. */
  readonly elemental?: ElementalOptions;
}

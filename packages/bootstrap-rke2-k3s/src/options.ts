/** Options of the bootstrap provider of RKE2 and k3s. */
export interface BootstrapRke2K3sProviderOptions {
  /** Configs reconciled at once, of each kind. Default 100. */
  readonly concurrency?: number;
}

export const defaultOptions = { concurrency: 100 } as const;

/** What the provider is made with. */
export interface BootstrapCompositeProviderOptions {
  /** CompositeConfigs reconciled at once. Default 20. */
  readonly concurrency?: number;
}

export const defaultOptions: Required<BootstrapCompositeProviderOptions> = { concurrency: 20 };

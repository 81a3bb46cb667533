/** How the provider works. */
export interface MetalProviderOptions {
  /** Clusters reconciled at once. Default 10. */
  readonly clusterConcurrency?: number;
}

/** Options of the kubeadm bootstrap provider. */
export interface BootstrapKubeadmProviderOptions {
  /** Life of a bootstrap token in milliseconds; it is extended while its node has not joined. Default 15 minutes. */
  readonly tokenTtlMs?: number;
  /** KubeadmConfigs reconciled at once. Default 100. */
  readonly concurrency?: number;
}

export const defaultOptions = { tokenTtlMs: 15 * 60_000, concurrency: 100 } as const;

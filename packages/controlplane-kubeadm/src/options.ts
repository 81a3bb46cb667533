/** Options of the kubeadm control plane provider. */
export interface ControlplaneKubeadmProviderOptions {
  /** KubeadmControlPlanes reconciled at once. Default 100. */
  readonly concurrency?: number;
}

export const defaultOptions = { concurrency: 100 } as const;

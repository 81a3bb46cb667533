/** Arguments of one call of kubeadm. */
export interface KubeadmCall {
  /** The file of `--config`. */
  readonly path: string;
  readonly args: readonly string[];
  /** It ends after its checks: `phase preflight`. */
  readonly onlyChecks: boolean;
}

/** How a machine calls itself and what its kubelet is told. */
export interface NodeRegistration {
  readonly name: string;
  readonly taints: readonly Readonly<Record<string, unknown>>[];
  readonly kubeletArgs: Readonly<Record<string, string>>;
}

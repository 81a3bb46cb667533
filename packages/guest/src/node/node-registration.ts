/** Name of a machine's Node, its taints, and the arguments of its kubelet. */
export interface NodeRegistration {
  readonly name: string;
  readonly taints: readonly Readonly<Record<string, unknown>>[];
  readonly kubeletArgs: Readonly<Record<string, string>>;
}

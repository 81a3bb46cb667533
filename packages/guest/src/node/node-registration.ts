/** Name and taints of a machine's Node, and arguments of its kubelet. */
export interface NodeRegistration {
  readonly name: string;
  readonly taints: readonly Readonly<Record<string, unknown>>[];
  readonly kubeletArgs: Readonly<Record<string, string>>;
}

/**
 * A provider's template of a whole cluster, for `capstan generate cluster`: manifests as YAML, with the variables that the
 * template files of Cluster API providers have.
 *
 *     ${NAME}  ${NAME:=default}  ${NAME=default}  ${NAME:-default}
 *
 * `CLUSTER_NAME`, `NAMESPACE`, `KUBERNETES_VERSION`, `CONTROL_PLANE_MACHINE_COUNT` and `WORKER_MACHINE_COUNT` come from flags, others from
 * the environment. `$${NAME}` becomes `${NAME}` and is left to whoever applies the result: so no secret need stand in a file.
 */
export interface FlavorV1 {
  /** The one that is meant where none is named is `default`. */
  readonly name: string;
  /** One line for people: what it makes. */
  readonly description: string;
  /** The bootstrap provider whose kinds it uses, by its short name such as `kubeadm`. Each has a `default` of its own. */
  readonly bootstrap: string;
  readonly template: string;
  /** Constraints on the values of variables, by name. Default: none. */
  readonly values?: Readonly<Record<string, FlavorValueV1>>;
}

/** A pattern that the value must match. */
export interface FlavorValueV1 {
  readonly pattern: RegExp;
  /** Message for a value that does not match: `must have 3 to 32 characters`. */
  readonly rule: string;
}

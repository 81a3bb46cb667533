/**
 * A template of a whole cluster that a provider brings, for `capstan generate cluster`: manifests as YAML, with the variables that the
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
  /** What the values of variables have to be, by name, where no cluster could be made with others. Default: anything. */
  readonly values?: Readonly<Record<string, FlavorValueV1>>;
}

/** What a value has to be. */
export interface FlavorValueV1 {
  readonly pattern: RegExp;
  /** How that is said: `must have 3 to 32 characters`. */
  readonly rule: string;
}

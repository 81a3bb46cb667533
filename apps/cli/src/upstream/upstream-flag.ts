/** Managers of upstream's, by the names that people give their providers. */
export type UpstreamManager =
  | "Azure"
  | "core"
  | "Elemental"
  | "k3s"
  | "kubeadm bootstrap"
  | "kubeadm control plane"
  | "Linode"
  | "RKE2"
  | "Tinkerbell";

/** Treatment of an upstream flag. */
export type UpstreamUse =
  /** A flag of this command means the same. */
  | { readonly flag: string }
  /** An option of a provider means the same; `splits`: commas separate values of it. */
  | { readonly option: string; readonly splits?: true }
  /** The number of reconciles at once of these kinds. */
  | { readonly kinds: readonly string[] }
  /** It has rules of its own, in words for the guide. */
  | {
      readonly special: "featureGates" | "metrics" | "metricsSecure" | "verbosity" | "zapLevel";
      readonly means: string;
    }
  /** It changes nothing here, and why; `otherwise`: why it is refused with other values than these. */
  | { readonly ignored: string; readonly otherwise?: { readonly than: readonly string[]; readonly refused: string } }
  /** Going on without it would do something else than what was asked for. */
  | { readonly refused: string };

export interface UpstreamFlag {
  /** Without hyphens in front. */
  readonly name: string;
  /** Stands alone, or has `=true` or `=false`. Default: it has a value. */
  readonly boolean?: true;
  readonly of: readonly UpstreamManager[];
  readonly use: UpstreamUse;
}

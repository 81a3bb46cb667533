/** How long after the last thing that it waited for a machine is given to join, in milliseconds: the usual limit of health checks for a start. */
const joinLimitMs = 600_000;

/** What is known of the server of a Machine without a member of etcd. */
export interface JoinFacts {
  /**
   * `none`: the Machine has no Node. `joining`: kubeadm has not marked it as control plane yet, which it does last. `joined`: it has, or the
   * Node is gone already.
   */
  readonly node: "none" | "joining" | "joined";
  /** The Machine has its bootstrap data, so that a server can boot with it. */
  readonly hasData: boolean;
  /** The bootstrap config exists and is not being deleted: it may still make that data. */
  readonly hasConfig: boolean;
  /** The infrastructure machine exists. */
  readonly hasInfrastructure: boolean;
  /** The server has reported that bootstrapping failed. */
  readonly hasFailed: boolean;
  /** When the Machine was made, got its data, or its infrastructure became ready, whichever was last; in milliseconds since the epoch. */
  readonly since: number;
  readonly now: number;
}

/** What becomes of a Machine that has to go and has no member of etcd. */
export type JoinVerdict =
  /** It will not join any more. */
  | { readonly kind: "over" }
  /** No server can have its data yet: taking the bootstrap config away keeps it from ever joining. */
  | { readonly kind: "stop" }
  /** It may join at any moment: it is waited for, until `until` at the latest, in milliseconds since the epoch. */
  | { readonly kind: "waits"; readonly until: number };

/**
 * Whether a server may still add a member to etcd. Were it switched off in the middle of that, its member would stay and count for the
 * majority.
 */
export const judgeJoining = (facts: JoinFacts): JoinVerdict => {
  const { hasConfig, hasData, hasFailed, hasInfrastructure, node, now, since } = facts;
  if (node === "joined") return { kind: "over" };
  if (!hasData) return { kind: hasConfig ? "stop" : "over" };
  const until = since + joinLimitMs;
  return !hasInfrastructure || hasFailed || now >= until ? { kind: "over" } : { kind: "waits", until };
};

/**
 * Time that a machine has to join after the last thing that it waited for, in milliseconds: the usual limit of health
 * checks for a start.
 */
const joinLimitMs = 600_000;
/**
 * Time that a machine that used its bootstrap token in time has for the rest, in milliseconds: kubeadm waits at most 5
 * minutes for the kubelet's certificate, the last thing it needs the token for, and adds the member right after it.
 */
const finishLimitMs = 300_000;

/** Facts about the server of a Machine that has no etcd member. */
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
  /** When the Machine was deleted, in milliseconds since the epoch. */
  readonly deletedAt: number;
  /** When its bootstrap token was revoked, in milliseconds since the epoch; `undefined` before. */
  readonly revokedAt: number | undefined;
  /** That token was kept then, because another server joined with it. */
  readonly isTokenKept: boolean;
  readonly now: number;
}

/** Decision about a Machine that is to be deleted and has no etcd member. */
export type JoinVerdict =
  /** It will not join any more. */
  | { readonly kind: "over" }
  /** No server can have its data yet: taking the bootstrap config away keeps it from ever joining. */
  | { readonly kind: "stop" }
  /** It has had its time: without its bootstrap token it can no longer begin. */
  | { readonly kind: "revoke" }
  /** It may join at any moment, or has lost its token and may finish what it began: until `until` at the latest, in milliseconds since the epoch. */
  | { readonly kind: "waits" | "finishes"; readonly until: number };

/**
 * Returns whether a server may still add a member to etcd. Were it switched off in the middle of that, its member would stay and count for the
 * majority. Infrastructure that comes and goes does not begin its time again once the Machine is deleted.
 */
export const judgeJoining = (facts: JoinFacts): JoinVerdict => {
  const { deletedAt, hasConfig, hasData, hasFailed, hasInfrastructure, node, now, revokedAt, since } = facts;
  if (node === "joined") return { kind: "over" };
  if (!hasData) return { kind: hasConfig ? "stop" : "over" };
  if (!hasInfrastructure || hasFailed) return { kind: "over" };
  const until = Math.min(since, deletedAt) + joinLimitMs;
  if (now < until) return { kind: "waits", until };
  if (revokedAt === undefined) return { kind: "revoke" };
  const end = revokedAt + finishLimitMs;
  return now < end ? { kind: "finishes", until: end } : { kind: "over" };
};

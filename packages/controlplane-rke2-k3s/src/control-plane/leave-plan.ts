import type { Server } from "../workload/servers.ts";

/** Facts that decide how a server that is being deleted leaves etcd. */
export interface LeaveFacts {
  /** Its member of etcd, as its Node says; absent when it has none to lose. */
  readonly member: Server["member"];
  /** Why the API would not be served without it. */
  readonly service: string | undefined;
  /** Why the members that stay would be no safe majority. */
  readonly quorum: string | undefined;
}

/** Next step of a server that is being deleted. */
export type LeavePlan =
  /** The Machine may go. */
  | { readonly action: "go" }
  /** Ask the servers to remove its member. */
  | { readonly action: "ask" }
  /** The servers were asked, and have not done it yet. */
  | { readonly action: "wait" }
  /** It stays for now. `withdraw`: the servers were asked, and the request must be taken back. */
  | { readonly action: "stay"; readonly obstacle: string; readonly withdraw: boolean };

/**
 * The next step of a server that leaves. A request to remove its member stands only as long as it would be made anew: when another member
 * fails meanwhile, etcd refuses to remove this one, and the other cannot be replaced while this one is on its way out.
 */
export const planLeave = ({ member, quorum, service }: LeaveFacts): LeavePlan => {
  const isIn = member !== undefined && !member.removed;
  const obstacle = service ?? (isIn ? quorum : undefined);
  if (obstacle !== undefined) return { action: "stay", obstacle, withdraw: isIn && member.leaves };
  if (!isIn) return { action: "go" };
  return { action: member.leaves ? "wait" : "ask" };
};

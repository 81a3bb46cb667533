import { domainForNew } from "./failure-domain.ts";
import type { Member } from "./member.ts";
import { isLeaving, isOutdated } from "./member.ts";
import { nextToRemove } from "./removal-order.ts";

/** The next step of a control plane without blockers. */
export type Plan =
  | { readonly action: "none" }
  /** The first Machine, or a further one. `rollout`: in the place of one that is out of date. */
  | {
      readonly action: "initialize" | "scaleUp";
      readonly failureDomain: string | undefined;
      readonly rollout: boolean;
    }
  | { readonly action: "scaleDown"; readonly member: Member; readonly rollout: boolean };

export interface PlanInput {
  readonly replicas: number;
  /** There is a cluster that would be lost with the last Machine. */
  readonly initialized: boolean;
  /** Machines above the number wanted that a rollout may have. */
  readonly maxSurge: number;
  readonly members: readonly Member[];
  /** Names of the failure domains that take control-plane Machines. */
  readonly failureDomains: readonly string[];
}

/**
 * The one Machine to make or to delete next. A Machine that is being deleted counts until it is gone. What is out of date is replaced before
 * the number is put right otherwise. When all Machines of a cluster are being deleted, another comes before the last of them may go.
 */
export const planControlPlane = ({ replicas, initialized, maxSurge, members, failureDomains }: PlanInput): Plan => {
  // Asked for by mistake, and no reason to delete.
  if (replicas < 0) return { action: "none" };
  const failureDomain = domainForNew(failureDomains, members);
  if (members.length === 0) {
    return replicas > 0 ? { action: "initialize", failureDomain, rollout: false } : { action: "none" };
  }
  if (initialized && replicas > 0 && members.every(isLeaving)) {
    return { action: "scaleUp", failureDomain, rollout: false };
  }
  const rollout = members.some((member) => isOutdated(member) && !isLeaving(member));
  const most = rollout ? replicas + maxSurge : replicas;
  if (members.length < most) return { action: "scaleUp", failureDomain, rollout };
  const member = rollout || members.length > replicas ? nextToRemove(failureDomains, members) : undefined;
  return member === undefined ? { action: "none" } : { action: "scaleDown", member, rollout };
};

import { isUnfinished } from "@capstan/kit/control-plane";
import { type EtcdReport, isServing, nameOf, type ReportedMember } from "./etcd-report.ts";

/** The members in the order in which they are defragmented: the leader last. */
export const defragOrder = ({ members }: EtcdReport): readonly ReportedMember[] =>
  members.toSorted((left, right) => Number(left.isLeader) - Number(right.isLeader));

/**
 * Why a member must not stand still now; `undefined` when the others are a majority that serves. Those with the alarm NOSPACE do: as a
 * rule all members have it at once, and to defragment them is what ends it.
 */
export const defragObstacle = (
  { members, quorum }: EtcdReport,
  reported: ReportedMember,
  { force }: { readonly force: boolean },
): string | undefined => {
  const joining = members.find(({ member }) => isUnfinished(member));
  if (joining !== undefined) return `${nameOf(joining)} has not finished joining; wait for it, or remove it`;
  if ("failed" in reported.status) return `${nameOf(reported)} does not answer: ${reported.status.failed}`;
  if (reported.member.alarms.includes("CORRUPT")) {
    return "it has the alarm CORRUPT, which defragmenting does not end; replace the member";
  }
  if (members.length === 1) {
    return force ? undefined : "it is the only member, and the cluster stands still meanwhile; --force does it anyway";
  }
  const others = members.filter((other) => other !== reported && isServing(other)).length;
  return others >= quorum.needed
    ? undefined
    : `without ${nameOf(reported)} etcd would have no quorum: ${others} of ${quorum.voting} members would serve, ${quorum.needed} required`;
};

/** The member that leads while the leader is defragmented. */
export const heirOf = ({ members }: EtcdReport): ReportedMember | undefined =>
  members.find((other) => !other.isLeader && isServing(other) && !isUnfinished(other.member));

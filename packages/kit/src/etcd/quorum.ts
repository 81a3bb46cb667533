import type { EtcdMember, EtcdView } from "./etcd-client.ts";

/** The numbers of members that vote, that work, and that have to work. */
export interface EtcdQuorum {
  readonly voting: number;
  readonly healthy: number;
  readonly needed: number;
}

/** Members that have to work for anything to be agreed on. */
export const majorityOf = (voting: number): number => Math.floor(voting / 2) + 1;

/** True for a member that does not count for the majority: it learns, or has never run. */
export const isUnfinished = ({ learner, name }: Pick<EtcdMember, "learner" | "name">): boolean =>
  learner || name === "";

/** Counts the members that vote. `healthy`: ids of those that are known to work. */
export const quorumOf = (members: readonly EtcdMember[], healthy: ReadonlySet<bigint>): EtcdQuorum => {
  const voting = members.filter((member) => !member.learner);
  return {
    voting: voting.length,
    healthy: voting.filter(({ alarms, id }) => healthy.has(id) && alarms.length === 0).length,
    needed: majorityOf(voting.length),
  };
};

/** The members in one line: how many of them work, how many have to, and which leads. */
export const describeQuorum = ({ leader, members }: EtcdView, healthy: ReadonlySet<bigint>): string => {
  const { healthy: working, needed, voting } = quorumOf(members, healthy);
  const leads = members.find(({ id }) => id === leader)?.name;
  const leading = leads === undefined ? "none leads" : `${leads} leads`;
  const learning = members.length - voting;
  const learners = learning === 0 ? "" : `, ${learning} more ${learning === 1 ? "learns" : "learn"}`;
  return `${working} of ${voting} voting members are healthy, ${needed} required${learners}; ${leading}`;
};

/**
 * Why the members without one of them were no safe majority; `undefined` when they are, and when the one that goes is not finished: then
 * whatever the others are, they are better off without it. `healthy` are the ids of members that are known to
 * work: one of no Machine never is. `leaving`: the id of the member that would go. `joining`: members that would come, which count as
 * failed until they work; next to a single member that is no risk that can be avoided. Default 0.
 */
export const quorumObstacle = (
  members: readonly EtcdMember[],
  facts: { readonly leaving: bigint | undefined; readonly healthy: ReadonlySet<bigint>; readonly joining?: number },
): string | undefined => {
  const left = members.filter(({ id }) => id !== facts.leaving);
  if (members.some((member) => member.id === facts.leaving && isUnfinished(member))) return undefined;
  if (left.some(isUnfinished)) return "an etcd member has not finished joining";
  const healthy = left.filter(({ alarms, id }) => facts.healthy.has(id) && alarms.length === 0).length;
  const total = left.length + (left.length > 1 ? (facts.joining ?? 0) : 0);
  const needed = majorityOf(total);
  return healthy >= needed
    ? undefined
    : `etcd would lose quorum: ${healthy} of ${total} members would be healthy, ${needed} required`;
};

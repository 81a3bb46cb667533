import type { EtcdMember } from "./etcd-client.ts";

/** Members that have to be healthy for anything to be agreed on. */
const majorityOf = (voting: number): number => Math.floor(voting / 2) + 1;

/** A member that does not vote, or has never run: nothing depends on it. */
const isUnfinished = ({ learner, name }: EtcdMember): boolean => learner || name === "";

/**
 * Why the members without one of them were no safe majority; `undefined` when they are, and when the one that goes is not finished: then
 * whatever the others are, they are better off without it. `healthy` are the ids of members that are known to
 * work: one of no Machine never is. `leaving`: the id of the member that would go.
 */
export const quorumObstacle = (
  members: readonly EtcdMember[],
  facts: { readonly leaving: bigint | undefined; readonly healthy: ReadonlySet<bigint> },
): string | undefined => {
  const left = members.filter(({ id }) => id !== facts.leaving);
  if (members.some((member) => member.id === facts.leaving && isUnfinished(member))) return undefined;
  if (left.some(isUnfinished)) return "a member of etcd has not finished joining";
  const healthy = left.filter(({ alarms, id }) => facts.healthy.has(id) && alarms.length === 0).length;
  const needed = majorityOf(left.length);
  return healthy >= needed
    ? undefined
    : `etcd would lose its majority: ${healthy} of ${left.length} members would be healthy, ${needed} have to be`;
};

/**
 * The member of no Machine that is removed next, or why none can be now. Those that have not started go first: they can never be promoted.
 * A member that has goes when the others are a safe majority without it.
 */
export const nextStray = (
  members: readonly EtcdMember[],
  abandoned: readonly EtcdMember[],
  healthy: ReadonlySet<bigint>,
): { readonly remove: EtcdMember } | { readonly obstacle: string } | undefined => {
  const [first] = abandoned.toSorted((left, right) => Number(isUnfinished(right)) - Number(isUnfinished(left)));
  if (first === undefined) return undefined;
  if (isUnfinished(first)) return { remove: first };
  const obstacles = abandoned.map((member) => ({
    member,
    obstacle: quorumObstacle(members, { leaving: member.id, healthy }),
  }));
  const removable = obstacles.find(({ obstacle }) => obstacle === undefined);
  return removable === undefined ? { obstacle: obstacles[0]?.obstacle ?? "" } : { remove: removable.member };
};

import { type EtcdMember, isUnfinished, quorumObstacle } from "@capstan/kit/control-plane";

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

import type { EtcdMember } from "./etcd-client.ts";

/** Members that have to be healthy for anything to be agreed on. */
const majorityOf = (voting: number): number => Math.floor(voting / 2) + 1;

/**
 * Why the members without one of them were no safe majority; `undefined` when they are. `healthy` are the names of members that are known
 * to work; a member of no Machine is taken for healthy unless it has an alarm. `leaving`: the name of the member that would go.
 */
export const quorumObstacle = (
  members: readonly EtcdMember[],
  facts: {
    readonly leaving: string | undefined;
    readonly healthy: ReadonlySet<string>;
    readonly ofMachines: ReadonlySet<string>;
  },
): string | undefined => {
  const left = members.filter(({ name }) => name === "" || name !== facts.leaving);
  const unfinished = left.filter(({ learner, name }) => learner || name === "");
  if (unfinished.length > 0) return "a member of etcd has not finished joining";
  const works = ({ name, alarms }: EtcdMember): boolean =>
    facts.ofMachines.has(name) ? facts.healthy.has(name) : alarms.length === 0;
  const healthy = left.filter(works).length;
  const needed = majorityOf(left.length);
  return healthy >= needed
    ? undefined
    : `etcd would lose its majority: ${healthy} of ${left.length} members would be healthy, ${needed} have to be`;
};

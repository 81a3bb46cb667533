import { leastMissed } from "./failure-domain.ts";
import type { Member } from "./member.ts";
import { byAge, isLeaving, isMarkedForDeletion, isOutdated } from "./member.ts";

/** The groups from which a Machine is taken, in this order. */
const preferences: readonly ((member: Member) => boolean)[] = [
  (member) => isOutdated(member) && isMarkedForDeletion(member),
  isMarkedForDeletion,
  (member) => isOutdated(member) && member.broken,
  isOutdated,
  () => true,
];

/**
 * The Machine that goes next: one that a user marked, a broken one, one that is out of date, in the failure domain with the most Machines,
 * the oldest. `undefined` when all are going already.
 */
export const nextToRemove = (domains: readonly string[], members: readonly Member[]): Member | undefined => {
  const staying = members.filter((member) => !isLeaving(member));
  const eligible = preferences.map((isPreferred) => staying.filter(isPreferred)).find(({ length }) => length > 0) ?? [];
  return leastMissed(domains, members, eligible).toSorted(byAge)[0];
};

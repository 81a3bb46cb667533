import { byText } from "@capstan/kube-values";
import type { Member } from "./member.ts";
import { isLeaving, isOutdated } from "./member.ts";

/** The failure domain that was asked for: where a Machine ended up elsewhere, the plan holds. */
const domainOf = ({ machine }: Member): string | undefined => machine.spec.failureDomain;

const countIn = (members: readonly Member[], domain: string): number =>
  members.filter((member) => domainOf(member) === domain).length;

/**
 * The failure domain for a new Machine: with the fewest Machines that stay, then with the fewest at all, then the first by name.
 * `undefined` where there is none to choose.
 */
export const domainForNew = (domains: readonly string[], members: readonly Member[]): string | undefined => {
  const staying = members.filter((member) => !isLeaving(member) && !isOutdated(member));
  return domains.toSorted(
    (left, right) =>
      countIn(staying, left) - countIn(staying, right) ||
      countIn(members, left) - countIn(members, right) ||
      byText(left, right),
  )[0];
};

/**
 * Those of the eligible Machines that are missed the least where they are: in what is no longer a failure domain; else in the one with the
 * most Machines, the first by name.
 */
export const leastMissed = (
  domains: readonly string[],
  members: readonly Member[],
  eligible: readonly Member[],
): readonly Member[] => {
  const outside = eligible.filter((member) => !domains.includes(domainOf(member) ?? ""));
  if (outside.length > 0) return outside;
  const [fullest] = domains
    .filter((domain) => countIn(eligible, domain) > 0)
    .toSorted((left, right) => countIn(members, right) - countIn(members, left) || byText(left, right));
  return eligible.filter((member) => domainOf(member) === fullest);
};

/** The oldest version whose Corefile can be changed for later ones. */
const oldest = [1, 1, 3] as const;

const parts = /^v?(\d+)\.(\d+)\.(\d+)(?![\d.])/;

/** The version at the beginning of an image's tag. */
export const dnsVersion = (tag: string): readonly number[] | undefined => parts.exec(tag)?.slice(1).map(Number);

/** Returns a negative number when the first version is the older one, 0 when they are equal. */
export const compareDnsVersions = (left: readonly number[], right: readonly number[]): number => {
  const at = left.findIndex((part, index) => part !== right[index]);
  return at === -1 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
};

/** Returns why CoreDNS cannot go from one tag to another; `undefined` when it can, with another Corefile if need be. */
export const dnsUpgradeProblem = (from: string, to: string): string | undefined => {
  const [before, after] = [dnsVersion(from), dnsVersion(to)];
  if (before === undefined) return `its tag ${from} does not start with a version`;
  if (after === undefined) return `the tag ${to} does not start with a version`;
  const change = compareDnsVersions(after, before);
  if (change === 0) return undefined;
  if (change < 0) return `${to} is older than ${from}`;
  if (compareDnsVersions(before, oldest) < 0) {
    return `the Corefile of ${from}, older than ${oldest.join(".")}, does not work with ${to}`;
  }
  return after[0] === oldest[0] ? undefined : `the Corefile of ${from} may not work with ${to}`;
};

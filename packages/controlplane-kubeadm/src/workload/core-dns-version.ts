/** Later versions read the Corefile of this one, and of all in between, as it is. */
const oldest = [1, 8, 3] as const;

const parts = /^v?(\d+)\.(\d+)\.(\d+)(?![\d.])/;

/** The version at the beginning of an image's tag. */
export const dnsVersion = (tag: string): readonly number[] | undefined => parts.exec(tag)?.slice(1).map(Number);

const compare = (left: readonly number[], right: readonly number[]): number => {
  const at = left.findIndex((part, index) => part !== right[index]);
  return at === -1 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
};

/** Why CoreDNS cannot go from one tag to another, with its Corefile as it is; `undefined`: it can. */
export const dnsUpgradeProblem = (from: string, to: string): string | undefined => {
  const [before, after] = [dnsVersion(from), dnsVersion(to)];
  if (before === undefined) return `its tag ${from} does not begin with a version`;
  if (after === undefined) return `the tag ${to} does not begin with a version`;
  const change = compare(after, before);
  if (change === 0) return undefined;
  if (change < 0) return `${to} is older than ${from}`;
  if (compare(before, oldest) < 0) {
    return `the Corefile of ${from}, which is older than ${oldest.join(".")}, is not for ${to}`;
  }
  return after[0] === oldest[0] ? undefined : `the Corefile of ${from} may not be for ${to}`;
};

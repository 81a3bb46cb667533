/** Where a character stands: `~` before the end, letters before all else. */
const rank = (sign: string): number => {
  if (sign === "~") return -1;
  if (sign === "") return 0;
  return /[a-zA-Z]/.test(sign) ? sign.charCodeAt(0) : sign.charCodeAt(0) + 256;
};

const beginning = /^(\D*)(\d*)/;

/** Compares parts of versions as dpkg does: by turns what are no digits, and numbers. */
const comparePart = (one: string, other: string): number => {
  let [left, right] = [one, other];
  while (left !== "" || right !== "") {
    const [, leftText = "", leftDigits = ""] = beginning.exec(left) ?? [];
    const [, rightText = "", rightDigits = ""] = beginning.exec(right) ?? [];
    for (let at = 0; at < Math.max(leftText.length, rightText.length); at += 1) {
      const order = rank(leftText.charAt(at)) - rank(rightText.charAt(at));
      if (order !== 0) return order;
    }
    const order = Number(leftDigits) - Number(rightDigits);
    if (order !== 0) return order;
    left = left.slice(leftText.length + leftDigits.length);
    right = right.slice(rightText.length + rightDigits.length);
  }
  return 0;
};

interface DebianVersion {
  readonly epoch: number;
  readonly upstream: string;
  readonly revision: string;
}

const partsOf = (version: string): DebianVersion => {
  const [, epoch = "0", rest = ""] = /^(?:(\d+):)?(.*)$/.exec(version) ?? [];
  const at = rest.lastIndexOf("-");
  return {
    epoch: Number(epoch),
    upstream: at < 0 ? rest : rest.slice(0, at),
    revision: at < 0 ? "0" : rest.slice(at + 1),
  };
};

/** Compares two versions of Debian packages, `epoch:upstream-revision`: below, at or above 0. */
export const compareDebianVersions = (one: string, other: string): number => {
  const [left, right] = [partsOf(one), partsOf(other)];
  return (
    left.epoch - right.epoch || comparePart(left.upstream, right.upstream) || comparePart(left.revision, right.revision)
  );
};

import { BlockList, isIP } from "node:net";

interface Range {
  readonly address: string;
  readonly prefix: number;
  readonly family: "ipv4" | "ipv6";
}

const rangeOf = (text: string): Range | undefined => {
  const [address = "", length = "", ...more] = text.split("/");
  const version = isIP(address);
  const prefix = Number(length);
  const isLength = /^\d+$/.test(length) && prefix <= (version === 4 ? 32 : 128);
  if (version === 0 || more.length > 0 || !isLength) return undefined;
  return { address, prefix, family: version === 4 ? "ipv4" : "ipv6" };
};

/** Returns whether a text is a range of addresses, as 10.0.0.0/16. */
export const isRange = (text: string): boolean => rangeOf(text) !== undefined;

/** Returns whether the first address of a range is in one of others. */
export const beginsIn = (text: string, ranges: readonly string[]): boolean => {
  const inner = rangeOf(text);
  if (inner === undefined) return false;
  const list = new BlockList();
  for (const range of ranges.flatMap((each) => rangeOf(each) ?? [])) {
    list.addSubnet(range.address, range.prefix, range.family);
  }
  return list.check(inner.address, inner.family);
};

import { isIP, isIPv6 } from "node:net";

/** A range of addresses, as in `10.0.0.0/16`, of either family. */
export interface AddressRange {
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
}

/** The number of an address; `undefined` for what is none. */
const addressNumber = (address: string): { readonly family: 4 | 6; readonly value: bigint } | undefined => {
  if (isIPv6(address)) return { family: 6, value: ipv6Number(address) };
  const parts = address.split(".");
  if (parts.length !== 4 || parts.some((part) => !/^\d{1,3}$/.test(part) || Number(part) > 255)) return undefined;
  return { family: 4, value: parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n) };
};

const ipv6Number = (address: string): bigint => {
  const [head = "", tail] = address.split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail === undefined || tail === "" ? [] : tail.split(":");
  const middle = Array.from({ length: tail === undefined ? 0 : 8 - front.length - back.length }, () => "0");
  return [...front, ...middle, ...back].reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
};

/** `undefined` for what is no range, also where its address is not the first. */
export const parseRange = (text: string): AddressRange | undefined => {
  const [address = "", length = "", ...more] = text.split("/");
  const number = addressNumber(address);
  if (number === undefined || more.length > 0 || !/^\d{1,3}$/.test(length)) return undefined;
  const bits = number.family === 4 ? 32 : 128;
  if (Number(length) > bits) return undefined;
  const size = 1n << BigInt(bits - Number(length));
  if (number.value % size !== 0n) return undefined;
  return { family: number.family, first: number.value, last: number.value + size - 1n };
};

/** Returns whether two ranges have an address in common. */
export const overlaps = (a: AddressRange, b: AddressRange): boolean =>
  a.family === b.family && a.first <= b.last && b.first <= a.last;

/** Returns whether a range lies in another. */
export const includes = (outer: AddressRange, inner: AddressRange): boolean =>
  outer.family === inner.family && outer.first <= inner.first && inner.last <= outer.last;

/** Returns whether an address, as text, is in a range. */
export const hasAddress = (range: AddressRange, address: string): boolean => {
  const number = addressNumber(address);
  return number?.family === range.family && range.first <= number.value && number.value <= range.last;
};

const addressText = (family: 4 | 6, value: bigint): string => {
  const [size, bits, base] = family === 4 ? [4, 8n, 10] : [8, 16n, 16];
  const groups = Array.from({ length: size }, (_, index) =>
    ((value >> (BigInt(size - 1 - index) * bits)) & ((1n << bits) - 1n)).toString(base),
  );
  return groups.join(family === 4 ? "." : ":");
};

/** The first address that machines may have and that is not in use. Networks keep some at their start, and the last one. */
export const freeAddress = (
  { family, first, last }: AddressRange,
  used: ReadonlySet<string>,
  keptAtStart: number,
): string | undefined => {
  for (let value = first + BigInt(keptAtStart); value < last; value += 1n) {
    const address = addressText(family, value);
    if (!used.has(address)) return address;
  }
  return undefined;
};

/** With the longest run of zeros of an IPv6 address left out. */
const shortened = (address: string): string =>
  isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;

/** The first range with a prefix of this length, of those in a range, that none of the others overlaps; as text. */
export const freeRange = (
  outer: AddressRange,
  prefixLength: number,
  others: readonly AddressRange[],
): string | undefined => {
  const { family } = outer;
  const size = 1n << BigInt((family === 4 ? 32 : 128) - prefixLength);
  for (let first = outer.first; first + size - 1n <= outer.last; first += size) {
    const range = { family, first, last: first + size - 1n };
    if (!others.some((other) => overlaps(other, range))) {
      return `${shortened(addressText(family, first))}/${prefixLength}`;
    }
  }
  return undefined;
};

/** Returns whether a text is an address with the length of a prefix, such as `10.0.0.1/24`; the rest of the address may be anything. */
export const isNetwork = (value: string): boolean => {
  const [address = "", length = "", ...more] = value.split("/");
  const family = isIP(address);
  return family > 0 && more.length === 0 && /^\d+$/.test(length) && Number(length) <= (family === 4 ? 32 : 128);
};

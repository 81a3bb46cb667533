import { isIPv4, isIPv6 } from "node:net";
import { bool, int, opaque, string } from "../types/cel-type.ts";
import { Failure } from "../values/failure.ts";
import { Opaque } from "../values/value.ts";
import { fn, method, traversal } from "./overload.ts";
import type { Overload } from "./overload.ts";

class Ip extends Opaque {
  readonly typeName = "net.IP";
  /** 4 or 16 bytes. */
  readonly bytes: readonly number[];

  constructor(bytes: readonly number[]) {
    super();
    this.bytes = bytes;
  }

  equals(other: Opaque): boolean {
    return other instanceof Ip && formatIp(other) === formatIp(this);
  }
}

class Cidr extends Opaque {
  readonly typeName = "net.CIDR";
  readonly ip: Ip;
  readonly prefix: number;

  constructor(ip: Ip, prefix: number) {
    super();
    this.ip = ip;
    this.prefix = prefix;
  }

  equals(other: Opaque): boolean {
    return other instanceof Cidr && other.prefix === this.prefix && other.ip.equals(this.ip);
  }
}

const ipType = opaque<Ip>("net.IP");
const cidrType = opaque<Cidr>("net.CIDR");

const groupsOf = (text: string): number[] =>
  text === ""
    ? []
    : text.split(":").flatMap((group) => {
        if (!group.includes(".")) return [Number.parseInt(group, 16)];
        const [a, b, c, d] = group.split(".").map(Number);
        return [a! * 256 + b!, c! * 256 + d!];
      });

const parseIpv6 = (text: string): number[] => {
  const [head = "", tail] = text.split("::");
  const left = groupsOf(head);
  const right = tail === undefined ? [] : groupsOf(tail);
  const groups = [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
  return groups.flatMap((group) => [group >> 8, group & 255]);
};

const isMapped = (bytes: readonly number[]): boolean =>
  bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;

/** No zones, no leading zeros in IPv4, no IPv4-mapped IPv6 addresses. */
const parseIp = (text: string): Ip | undefined => {
  if (isIPv4(text)) return new Ip(text.split(".").map(Number));
  if (!isIPv6(text) || text.includes("%")) return undefined;
  const bytes = parseIpv6(text);
  return isMapped(bytes) ? undefined : new Ip(bytes);
};

const parseCidr = (text: string): Cidr | undefined => {
  const found = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text);
  const ip = found === null ? undefined : parseIp(found[1]!);
  const prefix = Number(found?.[2]);
  return ip === undefined || prefix > ip.bytes.length * 8 ? undefined : new Cidr(ip, prefix);
};

/** The start and length of the longest run of at least two zero groups. */
const longestZeros = (groups: readonly number[]): readonly [number, number] => {
  let best: readonly [number, number] = [0, 0];
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === 0) length++;
    if (length > 1 && length > best[1]) best = [start, length];
  }
  return best;
};

const hexGroups = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(":");

/** The canonical form of RFC 5952. */
const formatIp = (ip: Ip): string => {
  if (ip.bytes.length === 4) return ip.bytes.join(".");
  const groups = Array.from({ length: 8 }, (_, index) => ip.bytes[index * 2]! * 256 + ip.bytes[index * 2 + 1]!);
  const [start, length] = longestZeros(groups);
  return length === 0
    ? hexGroups(groups)
    : `${hexGroups(groups.slice(0, start))}::${hexGroups(groups.slice(start + length))}`;
};

const toIp = (text: string): Ip => {
  const ip = parseIp(text);
  if (ip === undefined) throw new Failure(`IP Address parse error during conversion from string: '${text}'`);
  return ip;
};

const toCidr = (text: string): Cidr => {
  const cidr = parseCidr(text);
  if (cidr === undefined) throw new Failure(`network address parse error during conversion from string: '${text}'`);
  return cidr;
};

const mask = (bytes: readonly number[], prefix: number): number[] =>
  bytes.map((byte, index) => byte & (0xff00 >> Math.max(0, Math.min(8, prefix - index * 8))) & 255);

const containsIp = (cidr: Cidr, ip: Ip): boolean =>
  ip.bytes.length === cidr.ip.bytes.length &&
  mask(ip.bytes, cidr.prefix).join() === mask(cidr.ip.bytes, cidr.prefix).join();

const containsCidr = (outer: Cidr, inner: Cidr): boolean => inner.prefix >= outer.prefix && containsIp(outer, inner.ip);

const isLoopback = ({ bytes }: Ip): boolean =>
  bytes.length === 4 ? bytes[0] === 127 : bytes.every((byte, index) => byte === (index === 15 ? 1 : 0));
const isUnspecified = ({ bytes }: Ip): boolean => bytes.every((byte) => byte === 0);
const isLinkLocalUnicast = ({ bytes }: Ip): boolean =>
  bytes.length === 4 ? bytes[0] === 169 && bytes[1] === 254 : bytes[0] === 0xfe && (bytes[1]! & 0xc0) === 0x80;
const isLinkLocalMulticast = ({ bytes }: Ip): boolean =>
  bytes.length === 4
    ? bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0
    : bytes[0] === 0xff && (bytes[1]! & 0x0f) === 0x02;
const isMulticast = ({ bytes }: Ip): boolean => (bytes.length === 4 ? (bytes[0]! & 0xf0) === 0xe0 : bytes[0] === 0xff);
const isBroadcast = ({ bytes }: Ip): boolean => bytes.length === 4 && bytes.every((byte) => byte === 255);
const isGlobalUnicast = (ip: Ip): boolean =>
  ![isUnspecified, isBroadcast, isLoopback, isMulticast, isLinkLocalUnicast].some((test) => test(ip));

const compareCost = () => 4;
/** A network is cut to the length of the other one first. */
const maskCost = 3;

const isCanonical = (text: string): boolean => formatIp(toIp(text)) === text;

/** The Kubernetes libraries for IP addresses and networks. */
export const networkFunctions: readonly Overload[] = [
  fn("ip", [string], ipType, toIp, { cost: traversal() }),
  fn("isIP", [string], bool, (text) => parseIp(text) !== undefined, { cost: traversal() }),
  fn("ip.isCanonical", [string], bool, isCanonical, { cost: traversal(0, 2) }),
  fn("string", [ipType], string, formatIp, { resultSize: () => 39 }),
  method(ipType, "family", [], int, (ip) => (ip.bytes.length === 4 ? 4n : 6n)),
  method(ipType, "isUnspecified", [], bool, isUnspecified),
  method(ipType, "isLoopback", [], bool, isLoopback),
  method(ipType, "isLinkLocalMulticast", [], bool, isLinkLocalMulticast),
  method(ipType, "isLinkLocalUnicast", [], bool, isLinkLocalUnicast),
  method(ipType, "isGlobalUnicast", [], bool, isGlobalUnicast),
  fn("cidr", [string], cidrType, toCidr, { cost: traversal() }),
  fn("isCIDR", [string], bool, (text) => parseCidr(text) !== undefined, { cost: traversal() }),
  fn("string", [cidrType], string, (cidr) => `${formatIp(cidr.ip)}/${cidr.prefix}`, { resultSize: () => 43 }),
  method(cidrType, "containsIP", [ipType], bool, containsIp, { cost: compareCost }),
  method(cidrType, "containsIP", [string], bool, (cidr, text) => containsIp(cidr, toIp(text)), {
    cost: (sizes) => 4 + traversal(1)(sizes),
  }),
  method(cidrType, "containsCIDR", [cidrType], bool, containsCidr, {
    cost: compareCost,
    estimate: () => compareCost() + maskCost,
  }),
  method(cidrType, "containsCIDR", [string], bool, (cidr, text) => containsCidr(cidr, toCidr(text)), {
    cost: (sizes) => 4 + traversal(1)(sizes),
    estimate: (sizes) => 4 + maskCost + traversal(1)(sizes),
  }),
  method(cidrType, "ip", [], ipType, (cidr) => cidr.ip),
  method(cidrType, "masked", [], cidrType, (cidr) => new Cidr(new Ip(mask(cidr.ip.bytes, cidr.prefix)), cidr.prefix)),
  method(cidrType, "prefixLength", [], int, (cidr) => BigInt(cidr.prefix)),
];

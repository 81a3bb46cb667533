import { isIPv6 } from "node:net";
import { CapstanError } from "@capstan/contract";

/** The addresses of a CIDR that hosts can have: of IPv4 without network and broadcast address, of IPv6 without the first. */
export interface AddressRange {
  readonly family: "IPv4" | "IPv6";
  readonly size: number;
  /** The `index`-th usable address, from 0. */
  at(index: number): string;
  contains(address: string): boolean;
}

const examples = "10.0.0.0/24 or fd00::/108";
/** So many addresses of IPv6 are given out at most, as Kubernetes has it. */
const mostOfIPv6 = 2 ** 16;

const numberOf = (address: string): number | undefined => {
  const octets = address.split(".");
  return octets.length === 4 && octets.every((octet) => /^\d{1,3}$/.test(octet) && Number(octet) < 256)
    ? octets.reduce((value, octet) => value * 256 + Number(octet), 0)
    : undefined;
};

const textOf = (value: number): string => [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join(".");

/** An IPv6 address as everybody writes it: shortened, in lower case. */
const shortened = (address: string): string => new URL(`http://[${address}]`).hostname.slice(1, -1);

const groupsOf = (text = ""): readonly string[] => text.split(":").filter((group) => group !== "");

const bigNumberOf = (address: string): bigint => {
  const [head = "", tail] = shortened(address).split("::");
  const [before, after] = [groupsOf(head), groupsOf(tail)];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  return BigInt(`0x${[...before, ...zeros, ...after].map((group) => group.padStart(4, "0")).join("")}`);
};

const bigTextOf = (value: bigint): string =>
  shortened(
    value
      .toString(16)
      .padStart(32, "0")
      .replaceAll(/.{4}(?=.)/g, "$&:"),
  );

const ipv6Range = (address: string, prefix: number): AddressRange => {
  const total = 1n << BigInt(128 - prefix);
  const first = (bigNumberOf(address) / total) * total + 1n;
  const size = Math.min(Number(total), mostOfIPv6) - 1;
  return {
    family: "IPv6",
    size,
    at: (index) => bigTextOf(first + BigInt(index)),
    contains: (candidate) => {
      if (!isIPv6(candidate) || candidate.includes("%")) return false;
      const offset = bigNumberOf(candidate) - first;
      return offset >= 0n && offset < BigInt(size);
    },
  };
};

const ipv4Range = (base: number, prefix: number): AddressRange => {
  const total = 2 ** (32 - prefix);
  const first = Math.floor(base / total) * total + 1;
  const size = total - 2;
  return {
    family: "IPv4",
    size,
    at: (index) => textOf(first + index),
    contains: (candidate) => {
      const value = numberOf(candidate);
      return value !== undefined && value >= first && value < first + size;
    },
  };
};

/** Throws a `CapstanError` (`apiserver.service_range_invalid`) for anything but a CIDR with at least two hosts. */
export const addressRange = (cidr: string): AddressRange => {
  const [address = "", bits = "", ...more] = cidr.split("/");
  const prefix = /^\d{1,3}$/.test(bits) && more.length === 0 ? Number(bits) : 129;
  const base = numberOf(address);
  if (base !== undefined && prefix <= 30) return ipv4Range(base, prefix);
  if (isIPv6(address) && !address.includes("%") && prefix <= 126) return ipv6Range(address, prefix);
  throw new CapstanError({
    code: "apiserver.service_range_invalid",
    reason: "ServiceRangeInvalid",
    retry: { kind: "never" },
    message: `The range for Services ${cidr} is not a network of at least two addresses; use one such as ${examples}`,
  });
};

/** The address of the Service `kubernetes`: the first of a range for Services, of two with a comma between them the first one's. */
export const firstServiceAddress = (cidrs: string): string => addressRange(cidrs.split(",", 1)[0] ?? "").at(0);

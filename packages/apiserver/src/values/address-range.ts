import { CapstanError } from "@capstan/contract";

/** The IPv4 addresses of a CIDR that hosts can have: without network and broadcast address. */
export interface AddressRange {
  readonly size: number;
  /** The `index`-th usable address, from 0. */
  at(index: number): string;
  contains(address: string): boolean;
}

const example = "10.0.0.0/24";

const numberOf = (address: string): number | undefined => {
  const octets = address.split(".");
  return octets.length === 4 && octets.every((octet) => /^\d{1,3}$/.test(octet) && Number(octet) < 256)
    ? octets.reduce((value, octet) => value * 256 + Number(octet), 0)
    : undefined;
};

const textOf = (value: number): string => [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join(".");

/** Throws a `CapstanError` (`apiserver.service_range_invalid`) for anything but an IPv4 CIDR with at least two hosts. */
export const addressRange = (cidr: string): AddressRange => {
  const [address = "", bits = ""] = cidr.split("/");
  const base = numberOf(address);
  const prefix = /^\d{1,2}$/.test(bits) ? Number(bits) : 33;
  if (base === undefined || prefix > 30) {
    throw new CapstanError({
      code: "apiserver.service_range_invalid",
      reason: "ServiceRangeInvalid",
      retry: { kind: "never" },
      message: `The range for Services ${cidr} is not an IPv4 network: give one such as ${example}`,
    });
  }
  const total = 2 ** (32 - prefix);
  const first = Math.floor(base / total) * total + 1;
  const size = total - 2;
  return {
    size,
    at: (index) => textOf(first + index),
    contains: (candidate) => {
      const value = numberOf(candidate);
      return value !== undefined && value >= first && value < first + size;
    },
  };
};

import { parseRange } from "@capstan/simulation/network";

/** The public address of the machine that has a host number: in a network for tests of devices (RFC 2544). */
export const publicAddress = (host: number): string => `198.18.${Math.floor(host / 254) % 256}.${(host % 254) + 1}`;

/** The address that such a machine makes itself: in the network for examples (RFC 3849). */
export const slaacAddress = (host: number): string => `2001:db8::f03c:${host.toString(16)}`;

/**
 * Addresses that the API assigns, each from a part of the network for examples: to VPCs, to VPCs of an allocation
 * class, and to instances.
 */
export const ipv6Space = {
  vpcs: parseRange("2001:db8:4000::/36")!,
  classes: parseRange("2001:db8:6000::/36")!,
  instances: parseRange("2001:db8:8000::/36")!,
} as const;

/** The address of a NodeBalancer by the newer protocol, at which nothing listens here. */
export const balancerIpv6 = (id: number): string => `2001:db8:1::${id.toString(16).slice(-4)}`;

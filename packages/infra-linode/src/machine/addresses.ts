import { isIPv4 } from "node:net";
import type { Instance, InstanceAddresses } from "@capstan/linode-client";
import { externalIP, internalIP } from "@capstan/kit/machine";
import type { MachineAddress } from "@capstan/kit/machine";

/** Returns whether the recorded addresses are those that a list shows of an instance; what it has in VPCs and VLANs no list shows. */
export const areAsListed = (recorded: readonly MachineAddress[], { ipv4 }: Pick<Instance, "ipv4">): boolean => {
  const known = new Set(recorded.map(({ address }) => address));
  const outside = recorded.filter(({ address, type }) => type === "ExternalIP" && isIPv4(address));
  return ipv4.every((address) => known.has(address)) && outside.every(({ address }) => ipv4.includes(address));
};

const withoutPrefix = (address: string): string => address.split("/", 1)[0]!;

/**
 * The addresses of an instance in the order other tools rely on: public IPv4, VPC IPv4, VPC IPv6, public IPv6, VLAN, private IPv4.
 * `vlanAddresses` are the ones given in the spec, with or without prefix. What the instance does not have is left out.
 */
export const machineAddresses = (
  { ipv4, ipv6 }: InstanceAddresses,
  vlanAddresses: readonly string[],
): readonly MachineAddress[] => {
  const vpc6 = (ipv6?.vpc ?? []).flatMap(({ ipv6_addresses: addresses, ipv6_is_public: isPublic }) =>
    (addresses ?? []).map(({ slaac_address: address }) => ({
      address: withoutPrefix(address),
      isPublic: isPublic === true,
    })),
  );
  const slaac = vpc6.some(({ isPublic }) => isPublic) ? undefined : ipv6?.slaac?.address;
  return [
    ...ipv4.public.map(({ address }) => externalIP(address)),
    ...(ipv4.vpc ?? []).flatMap(({ address }) => (address === null || address === "" ? [] : [internalIP(address)])),
    ...vpc6.map(({ address, isPublic }) => (isPublic ? externalIP(address) : internalIP(address))),
    ...(slaac === undefined ? [] : [externalIP(slaac)]),
    ...vlanAddresses.map((address) => internalIP(withoutPrefix(address))),
    ...ipv4.private.slice(0, 1).map(({ address }) => internalIP(address)),
  ];
};

import { BlockList, isIPv4 } from "node:net";
import type { NetworkInterfaceInfo } from "node:os";

/** An address of this computer, with the length of the prefix of its network. */
export interface OwnAddress {
  readonly address: string;
  readonly prefix: number;
}

/** Returns the IPv4 addresses of this computer that a client of DHCP may be next to. */
export const ownAddresses = (
  interfaces: Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>,
): readonly OwnAddress[] =>
  Object.values(interfaces)
    .flatMap((each) => each ?? [])
    .flatMap(({ address, cidr, family, internal }) =>
      family !== "IPv4" || internal ? [] : [{ address, prefix: Number(cidr?.split("/")[1] ?? 32) }],
    );

const isWithin = (address: string, network: OwnAddress): boolean => {
  const list = new BlockList();
  list.addSubnet(network.address, network.prefix, "ipv4");
  return list.check(address, "ipv4");
};

/**
 * Returns the addresses to send a broadcast from: those in the network of the client's address, else one of each network. The kernel sends a
 * limited broadcast through the interface of its source address, and needs no route for that.
 */
export const broadcastSources = (all: readonly OwnAddress[], client: string): readonly string[] => {
  const near = isIPv4(client) ? all.filter((own) => isWithin(client, own)) : [];
  const chosen = near.length > 0 ? near : all;
  return chosen
    .filter(
      (own, index) =>
        chosen.findIndex((other) => other.prefix === own.prefix && isWithin(own.address, other)) === index,
    )
    .map(({ address }) => address);
};

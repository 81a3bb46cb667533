import { isWithin, networkOf, same } from "../resource-id.ts";
import type { Vm } from "../vm.ts";
import { resourceById } from "../resources/find.ts";
import type { StoredResource } from "../state.ts";
import type { World } from "../world.ts";
import { loopbackOfPrivate } from "./data-plane.ts";
import type { NetworkInterface } from "./network-interfaces.ts";
import type { VirtualNetwork } from "./virtual-networks.ts";

const recordType = "Microsoft.Network/privateDnsZones/A";
const linkType = "Microsoft.Network/privateDnsZones/virtualNetworkLinks";

interface AddressRecord {
  readonly aRecords?: readonly { readonly ipv4Address: string }[];
}

interface Link {
  readonly virtualNetwork?: { readonly id: string };
}

const zoneOf = ({ id, name }: StoredResource): string => id.slice(0, -`/A/${name}`.length);

/** The address that a private zone gives a name, with the networks that know the zone. */
const lookUp = (
  host: string,
  { state }: Pick<World, "state">,
): { readonly address: string; readonly networks: readonly string[] } | undefined => {
  const record = state.resources.find(
    (each) => same(each.type, recordType) && same(`${each.name}.${zoneOf(each).split("/").at(-1)}`, host),
  );
  const address = (record?.properties as AddressRecord | undefined)?.aRecords?.[0]?.ipv4Address;
  if (record === undefined || address === undefined) return undefined;
  const networks = state.resources
    .filter(({ id, type }) => same(type, linkType) && isWithin(id, zoneOf(record)))
    .flatMap(({ properties }) => (properties as Link).virtualNetwork?.id ?? []);
  return { address, networks };
};

/** Returns whether two machines are in one virtual network, or in networks that are peers. */
export const areNear = (one: StoredResource, other: StoredResource, world: Pick<World, "state">): boolean => {
  const own = networksOf(one, world);
  const near = [...own, ...own.flatMap((network) => peersOf(network, world))];
  return networksOf(other, world).some((network) => near.some((each) => same(each, network)));
};

/** The virtual networks that the network cards of a machine, or of an instance of a scale set, are in. */
const networksOf = (machine: StoredResource, world: Pick<World, "state">): readonly string[] => {
  const { networkProfile } = machine.properties as Partial<Vm>;
  const named = (networkProfile?.networkInterfaces ?? []).flatMap(({ id }) => resourceById(id, world) ?? []);
  const within = world.state.resources.filter(
    ({ id, type }) => /\/networkInterfaces$/i.test(type) && isWithin(id, machine.id),
  );
  return [...named, ...within]
    .flatMap(({ properties }) => (properties as NetworkInterface).ipConfigurations ?? [])
    .flatMap(({ properties: { subnet } }) => (subnet === undefined ? [] : [networkOf(subnet.id)]));
};

const peersOf = (network: string, world: Pick<World, "state">): readonly string[] =>
  ((resourceById(network, world)?.properties as VirtualNetwork | undefined)?.virtualNetworkPeerings ?? []).flatMap(
    ({ properties }) => properties.remoteVirtualNetwork?.id ?? [],
  );

/**
 * The address on this computer that stands for a host inside of the subscription's networks: for a private frontend, by its address or by
 * a name that a private zone gives it. `undefined`: there is none. Of frontends that have one address in several networks it is the first.
 */
export const reachInside = (host: string, world: Pick<World, "state">): string | undefined => {
  const found = lookUp(host, world);
  return found === undefined ? loopbackOfPrivate(host, world) : loopbackOfPrivate(found.address, world, found.networks);
};

/**
 * As {@link reachInside}, for who is in a machine: it reaches what is in its own network and in those peered with that, and knows the
 * zones that are linked to its own.
 */
export const reachFrom = (machine: StoredResource, host: string, world: Pick<World, "state">): string | undefined => {
  const own = networksOf(machine, world);
  const near = [...own, ...own.flatMap((network) => peersOf(network, world))];
  const found = lookUp(host, world);
  if (found === undefined) return loopbackOfPrivate(host, world, near);
  const isKnown = found.networks.some((linked) => own.some((network) => same(network, linked)));
  return isKnown ? loopbackOfPrivate(found.address, world, near) : undefined;
};

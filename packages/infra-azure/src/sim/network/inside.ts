import { isWithin, same } from "../arm/resource-id.ts";
import type { StoredResource } from "../state.ts";
import type { World } from "../world.ts";
import { loopbackOfPrivate } from "./data-plane.ts";

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

/**
 * The address on this computer that stands for a host inside of the subscription's networks: for a private frontend, by its address or by
 * a name that a private zone gives it. `undefined`: there is none.
 */
export const reachInside = (host: string, world: Pick<World, "state">): string | undefined => {
  const found = lookUp(host, world);
  return found === undefined ? loopbackOfPrivate(host, world) : loopbackOfPrivate(found.address, world, found.networks);
};

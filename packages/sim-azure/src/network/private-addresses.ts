import { refusal } from "../arm/refusals.ts";
import { same } from "../resource-id.ts";
import { referent } from "../resources/references.ts";
import { invalidReference } from "../arm/refusals.ts";
import type { StoredResource } from "../state.ts";
import type { World } from "../world.ts";
import { type AddressRange, freeAddress, hasAddress, parseRange } from "@capstan/simulation/network";
import { prefixesOf, type VirtualNetwork } from "./virtual-networks.ts";

/** Azure keeps the first four addresses of a subnet and the last. */
const keptAtStart = 4;

/** Part with an address in a subnet: an IP configuration of a network card or a frontend of a load balancer. */
export interface Addressed {
  readonly name: string;
  readonly properties: {
    readonly subnet?: { readonly id: string };
    readonly privateIPAddress?: string;
    readonly privateIPAllocationMethod?: string;
    readonly privateIPAddressVersion?: string;
  };
}

interface HasAddresses {
  readonly ipConfigurations?: readonly Addressed[];
  readonly frontendIPConfigurations?: readonly Addressed[];
}

const addressedIn = ({ properties }: StoredResource): readonly Addressed[] => {
  const { ipConfigurations = [], frontendIPConfigurations = [] } = properties as HasAddresses;
  return [...ipConfigurations, ...frontendIPConfigurations];
};

/** Addresses of a subnet that others have. */
const usedIn = (subnet: string, owner: string, { state }: World): ReadonlySet<string> =>
  new Set(
    state.resources
      .filter(({ id }) => !same(id, owner))
      .flatMap(addressedIn)
      .filter(({ properties }) => same(properties.subnet?.id ?? "", subnet))
      .flatMap(({ properties }) => properties.privateIPAddress ?? []),
  );

const rangesOf = (subnet: string, owner: string, { state }: World): readonly AddressRange[] => {
  const network = referent(subnet, state.resources);
  const found = (network?.properties as VirtualNetwork | undefined)?.subnets?.find((each) =>
    same(`${network?.id ?? ""}/subnets/${each.name}`, subnet),
  );
  if (found === undefined) throw invalidReference(subnet, owner);
  return prefixesOf(found).flatMap((prefix) => parseRange(prefix) ?? []);
};

/** Gives what is in a subnet its addresses there, those that it had before where they are not said. */
export const withAddresses = <A extends Addressed>(
  owner: string,
  wanted: readonly A[],
  before: readonly Addressed[],
  world: World,
): readonly A[] => {
  const own = new Set<string>();
  return wanted.map((each) => {
    const {
      subnet,
      privateIPAddressVersion = "IPv4",
      privateIPAllocationMethod = "Dynamic",
      privateIPAddress,
    } = each.properties;
    if (subnet === undefined) return each;
    const id = `${owner} (${each.name})`;
    const family = privateIPAddressVersion === "IPv6" ? 6 : 4;
    const range = rangesOf(subnet.id, owner, world).find((candidate) => candidate.family === family);
    if (range === undefined) {
      throw refusal(
        400,
        "SubnetDoesNotContainIPVersion",
        `Subnet ${subnet.id} has no addresses of version ${privateIPAddressVersion} for ${id}.`,
      );
    }
    const used = new Set([...usedIn(subnet.id, owner, world), ...own]);
    const address =
      privateIPAllocationMethod === "Static"
        ? givenAddress(privateIPAddress, { id, subnet: subnet.id, range, used })
        : (keptAddress(each, before, used) ?? freeAddress(range, used, keptAtStart));
    if (address === undefined) {
      throw refusal(400, "SubnetIsFull", `Subnet ${subnet.id} does not have enough capacity for 1 IP addresses.`);
    }
    own.add(address);
    return {
      ...each,
      properties: { privateIPAddressVersion, ...each.properties, privateIPAllocationMethod, privateIPAddress: address },
    };
  });
};

const keptAddress = (each: Addressed, before: readonly Addressed[], used: ReadonlySet<string>): string | undefined => {
  const had = before.find(({ name }) => same(name, each.name))?.properties;
  const kept = same(had?.subnet?.id ?? "-", each.properties.subnet?.id ?? "") ? had?.privateIPAddress : undefined;
  return kept === undefined || used.has(kept) ? undefined : kept;
};

const givenAddress = (
  address: string | undefined,
  {
    id,
    subnet,
    range,
    used,
  }: { readonly id: string; readonly subnet: string; readonly range: AddressRange; readonly used: ReadonlySet<string> },
): string => {
  if (address === undefined) {
    throw refusal(400, "PrivateIPAddressNotProvided", `A static allocation of ${id} needs a privateIPAddress.`);
  }
  if (!hasAddress(range, address)) {
    throw refusal(
      400,
      "PrivateIPAddressNotInSubnet",
      `Private static IP address ${address} does not belong to the range of subnet ${subnet}, which ${id} is in.`,
    );
  }
  if (used.has(address)) {
    throw refusal(
      400,
      "PrivateIPAddressInUse",
      `IP configuration ${id} is using the private IP address ${address} which is already allocated to another resource.`,
    );
  }
  return address;
};

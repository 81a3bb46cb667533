import { boolean, integer, list, object, text } from "@capstan/simulation";
import { refusal } from "../arm/refusals.ts";
import { same } from "../resource-id.ts";
import { resourceById } from "../resources/find.ts";
import { referrers } from "../resources/references.ts";
import type { Change, ResourceKind } from "../resources/resource-kind.ts";
import { extendedLocation, partOf, ref, refs, texts } from "../resources/shapes.ts";
import { readOnly } from "../resources/writable.ts";
import type { Json } from "../state.ts";
import type { World } from "../world.ts";
import { type AddressRange, includes, overlaps, parseRange } from "@capstan/simulation/network";
import { networkKind, networkPart } from "./network-kind.ts";

const subnetProperties = object({
  addressPrefix: text(),
  addressPrefixes: texts,
  networkSecurityGroup: ref,
  routeTable: ref,
  natGateway: ref,
  serviceEndpoints: list(
    object({ service: text(), locations: texts, networkIdentifier: ref, provisioningState: readOnly }),
  ),
  serviceEndpointPolicies: refs,
  delegations: list(partOf(object({ serviceName: text(), provisioningState: readOnly, actions: readOnly }))),
  privateEndpointNetworkPolicies: text({
    enum: ["Enabled", "Disabled", "NetworkSecurityGroupEnabled", "RouteTableEnabled"],
  }),
  privateLinkServiceNetworkPolicies: text({ enum: ["Enabled", "Disabled"] }),
  defaultOutboundAccess: boolean,
  sharingScope: text({ enum: ["Tenant", "DelegatedServices"] }),
  ipConfigurations: readOnly,
  privateEndpoints: readOnly,
  purpose: readOnly,
  provisioningState: readOnly,
});

const addressSpace = object({ addressPrefixes: texts, ipamPoolPrefixAllocations: readOnly });

const peeringProperties = object({
  allowVirtualNetworkAccess: boolean,
  allowForwardedTraffic: boolean,
  allowGatewayTransit: boolean,
  useRemoteGateways: boolean,
  doNotVerifyRemoteGateways: boolean,
  peerCompleteVnets: boolean,
  remoteVirtualNetwork: ref,
  remoteAddressSpace: addressSpace,
  remoteVirtualNetworkAddressSpace: addressSpace,
  peeringState: readOnly,
  peeringSyncLevel: readOnly,
  remoteVirtualNetworkEncryption: readOnly,
  routeServiceVips: readOnly,
  resourceGuid: readOnly,
  provisioningState: readOnly,
});

interface Subnet {
  readonly name: string;
  readonly state?: string;
  readonly properties: { readonly addressPrefix?: string; readonly addressPrefixes?: readonly string[] };
}

interface Peering {
  readonly name: string;
  readonly properties: { readonly remoteVirtualNetwork?: { readonly id: string } };
}

/** The part of a virtual network that is looked at here. */
export interface VirtualNetwork {
  readonly addressSpace?: { readonly addressPrefixes?: readonly string[] };
  readonly subnets?: readonly Subnet[];
  readonly virtualNetworkPeerings?: readonly Peering[];
}

const subnetInUse = (id: string, world: World) => {
  const [reference] = referrers(id, world);
  return reference === undefined
    ? undefined
    : refusal(
        400,
        "InUseSubnetCannotBeDeleted",
        `Subnet ${id.split("/").at(-1) ?? ""} is in use by ${reference.from} and cannot be deleted. In order to delete the subnet, delete all the resources within the subnet. See aka.ms/deletesubnet.`,
      );
};

/** The ranges of a subnet. */
export const prefixesOf = ({ properties: { addressPrefix, addressPrefixes } }: Subnet): readonly string[] =>
  addressPrefix === undefined ? (addressPrefixes ?? []) : [addressPrefix];

const rangeOf = (prefix: string, where: string): AddressRange => {
  const range = parseRange(prefix);
  if (range !== undefined) return range;
  throw refusal(
    400,
    "InvalidCIDRNotation",
    `The address prefix ${prefix} in resource ${where} is not formatted correctly. It should follow CIDR notation, for example 10.0.0.0/24.`,
  );
};

const checkSubnets = ({ resource: { id, name, properties } }: Change<VirtualNetwork>): void => {
  const { addressSpace: space, subnets = [] } = properties;
  const outer = (space?.addressPrefixes ?? []).map((prefix) => rangeOf(prefix, id));
  const known: { readonly name: string; readonly range: AddressRange }[] = [];
  for (const subnet of subnets) {
    const prefixes = prefixesOf(subnet);
    if (prefixes.length === 0) {
      throw refusal(
        400,
        "NoAddressPrefixOrPoolProvided",
        `No address prefix provided for resource ${id}/subnets/${subnet.name}.`,
      );
    }
    for (const range of prefixes.map((prefix) => rangeOf(prefix, `${id}/subnets/${subnet.name}`))) {
      if (!outer.some((each) => includes(each, range))) {
        throw refusal(400, "NetcfgInvalidSubnet", `Subnet '${subnet.name}' is not valid in virtual network '${name}'.`);
      }
      const other = known.find((each) => overlaps(each.range, range));
      if (other !== undefined) {
        throw refusal(
          400,
          "NetcfgSubnetRangesOverlap",
          `Subnet '${subnet.name}' is not valid because its IP address range overlaps with that of an existing subnet in virtual network '${name}': '${other.name}'.`,
        );
      }
      known.push({ name: subnet.name, range });
    }
  }
};

/** Subnets in which something is stay as they are. */
const checkUsed = ({ resource, before }: Change<VirtualNetwork>, world: World): void => {
  for (const subnet of before?.properties.subnets ?? []) {
    const id = `${resource.id}/subnets/${subnet.name}`;
    const after = resource.properties.subnets?.find((each) => same(each.name, subnet.name));
    if (after !== undefined && prefixesOf(after).join() === prefixesOf(subnet).join()) continue;
    const blocker = subnetInUse(id, world);
    if (
      blocker === undefined ||
      !referrers(id, world).some(({ from }) => /\/ipConfigurations\/|\/frontendIPConfigurations\//.test(from))
    ) {
      if (after === undefined && blocker !== undefined) throw blocker;
      continue;
    }
    throw after === undefined
      ? blocker
      : refusal(
          400,
          "InUsePrefixCannotBeDeleted",
          `IpPrefix ${prefixesOf(subnet).join()} on Subnet ${subnet.name} has active allocations and cannot be deleted.`,
        );
  }
};

const checkPeerings = ({ resource }: Change<VirtualNetwork>, world: World): void => {
  const own = (resource.properties.addressSpace?.addressPrefixes ?? []).flatMap((prefix) => parseRange(prefix) ?? []);
  for (const { name, properties } of resource.properties.virtualNetworkPeerings ?? []) {
    const remote = resourceById(properties.remoteVirtualNetwork?.id ?? "", world);
    const { addressSpace: space } = (remote?.properties ?? {}) as VirtualNetwork;
    const others = (space?.addressPrefixes ?? []).flatMap((prefix) => parseRange(prefix) ?? []);
    if (!own.some((a) => others.some((b) => overlaps(a, b)))) continue;
    throw refusal(
      400,
      "VnetAddressSpacesOverlap",
      `Cannot create or update peering ${resource.id}/virtualNetworkPeerings/${name}. Virtual networks ${resource.id} and ${remote?.id ?? ""} cannot be peered because their address spaces overlap.`,
    );
  }
};

/** A peering works once both sides have it. */
const peeringExtras = (id: string, properties: Peering["properties"], world: World): Json => {
  const guid = resourceById(id.replace(/\/virtualNetworkPeerings\/.*$/i, ""), world)?.guid;
  const remote = resourceById(properties.remoteVirtualNetwork?.id ?? "", world);
  const { virtualNetworkPeerings = [], addressSpace: space } = (remote?.properties ?? {}) as VirtualNetwork;
  const back = virtualNetworkPeerings.some((peering) =>
    id.toLowerCase().startsWith(`${(peering.properties.remoteVirtualNetwork?.id ?? "-").toLowerCase()}/`),
  );
  return {
    allowVirtualNetworkAccess: true,
    allowForwardedTraffic: false,
    allowGatewayTransit: false,
    useRemoteGateways: false,
    doNotVerifyRemoteGateways: false,
    peerCompleteVnets: true,
    resourceGuid: guid,
    routeServiceVips: {},
    ...properties,
    peeringState: back ? "Connected" : "Initiated",
    peeringSyncLevel: "FullyInSync",
    remoteAddressSpace: space ?? { addressPrefixes: [] },
    remoteVirtualNetworkAddressSpace: space ?? { addressPrefixes: [] },
  };
};

/** A scale set only says in which subnets its machines are to be. */
const isModel = ({ type }: { readonly type: string }): boolean => /\/virtualMachineScaleSets$/i.test(type);

/** Virtual networks with their subnets and peerings. */
export const virtualNetworks: ResourceKind<VirtualNetwork> = {
  ...networkKind,
  type: "Microsoft.Network/virtualNetworks",
  outer: { extendedLocation },
  properties: object(
    {
      addressSpace,
      subnets: list(partOf(subnetProperties)),
      virtualNetworkPeerings: list(partOf(peeringProperties)),
      dhcpOptions: object({ dnsServers: texts }),
      enableDdosProtection: boolean,
      enableVmProtection: boolean,
      flowTimeoutInMinutes: { ...integer, min: 4, max: 30 },
      privateEndpointVNetPolicies: text({ enum: ["Disabled", "Basic"] }),
      encryption: object({ enabled: boolean, enforcement: text() }),
      resourceGuid: readOnly,
      provisioningState: readOnly,
    },
    ["addressSpace"],
  ),
  parts: {
    subnets: networkPart(subnetProperties, subnetInUse),
    virtualNetworkPeerings: networkPart(peeringProperties),
  },
  prepare: (change, world) => {
    const { resource, before } = change;
    // What a request does not mention stays.
    const {
      subnets = before?.properties.subnets ?? [],
      virtualNetworkPeerings = before?.properties.virtualNetworkPeerings ?? [],
    } = resource.properties;
    resource.properties = {
      enableDdosProtection: false,
      ...resource.properties,
      subnets,
      virtualNetworkPeerings,
    } as VirtualNetwork;
    checkSubnets(change);
    checkUsed(change, world);
    checkPeerings(change, world);
  },
  partExtras: (id, { properties = {} }, world) => {
    if (id.includes("/virtualNetworkPeerings/")) return peeringExtras(id, properties, world);
    const users = referrers(id, world).filter(
      ({ from, resource }) => /\/(?:frontend)?ipConfigurations\//i.test(from) && !isModel(resource),
    );
    const endpoints = referrers(id, world).filter(({ resource }) => /\/privateEndpoints$/i.test(resource.type));
    return {
      ...(endpoints.length === 0 ? {} : { privateEndpoints: endpoints.map(({ from }) => ({ id: from })) }),
      privateEndpointNetworkPolicies: "Disabled",
      privateLinkServiceNetworkPolicies: "Enabled",
      delegations: [],
      ...properties,
      ...(users.length === 0 ? {} : { ipConfigurations: users.map(({ from }) => ({ id: from })) }),
    };
  },
  blocker: ({ id, properties: { subnets = [] } }, world) =>
    subnets.map(({ name }) => subnetInUse(`${id}/subnets/${name}`, world)).find((blocker) => blocker !== undefined),
};

import { isWithin } from "../arm/resource-id.ts";
import { bastionParts } from "./bastion.ts";
import { isInternal, loadBalancerBody, loadBalancerDiffers, plannedLoadBalancers } from "./load-balancer-bodies.ts";
import {
  groupBody,
  natGatewayBody,
  networkBody,
  networkDiffers,
  routeTableBody,
  securityGroupBody,
  securityGroupDiffers,
  subnetBody,
  subnetDiffers,
} from "./network-bodies.ts";
import type { Part } from "./part.ts";
import { peeringParts } from "./peerings.ts";
import type { ClusterPlace } from "./place.ts";
import { refs } from "./place.ts";
import { privateDnsParts } from "./private-dns.ts";
import { privateEndpointParts } from "./private-endpoints.ts";
import { plannedAddresses, publicIPBody } from "./public-ips.ts";
import type { ResourceRole, Tags } from "./resource-tags.ts";
import { resourceTags } from "./resource-tags.ts";

export interface PlanFacts {
  /** Zones of the location. */
  readonly failureDomains: readonly string[];
}

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)].filter((name) => name !== "");

const tagsFor = (place: ClusterPlace, name: string, role: ResourceRole = "common"): Tags =>
  resourceTags(place.tags, { name, role });

/** The resource groups of a cluster: its own, and that of its network where it is another one. */
export const groupParts = (place: ClusterPlace): readonly Part[] => {
  const { resourceGroup, networkSpec } = place.spec;
  const part = (name: string, ref: Part["ref"]): Part => ({
    service: "ResourceGroup",
    ref,
    tags: tagsFor(place, name),
    body: () => groupBody(place, name),
  });
  const own = part(resourceGroup, refs.group(place));
  const other = part(networkSpec.vnet.resourceGroup, refs.networkGroup(place));
  return isWithin(own.ref.id, other.ref.id) ? [own] : [own, other];
};

const network = (place: ClusterPlace): Part => ({
  service: "VNet",
  ref: refs.network(place),
  tags: tagsFor(place, place.spec.networkSpec.vnet.name),
  body: (present) => networkBody(place, present),
  differs: (present) => networkDiffers(place, present),
});

/** The names of the security groups of a cluster. */
export const securityGroupNames = ({ spec }: ClusterPlace): readonly string[] =>
  unique(spec.networkSpec.subnets.map(({ securityGroup }) => securityGroup.name));

/** Returns the security groups and route tables, which are only made if the network is ours. */
const securityAndRoutes = (place: ClusterPlace): readonly Part[] => [
  ...securityGroupNames(place).map((name): Part => ({
    service: "SecurityGroups",
    ref: refs.securityGroup(place, name),
    tags: tagsFor(place, name),
    body: (present) => securityGroupBody(place, name, present),
    differs: (present) => securityGroupDiffers(place, name, present),
  })),
  ...unique(place.spec.networkSpec.subnets.flatMap(({ routeTable }) => routeTable?.name ?? [])).map((name): Part => ({
    service: "RouteTables",
    ref: refs.routeTable(place, name),
    tags: tagsFor(place, name),
    body: () => routeTableBody(place, name),
  })),
];

const addresses = (place: ClusterPlace, { failureDomains }: PlanFacts, isNetworkOurs: boolean): readonly Part[] =>
  plannedAddresses(place, isNetworkOurs).map((address) => ({
    service: "PublicIPs",
    ref: refs.publicIP(place, address.name),
    tags: tagsFor(place, address.name, address.role),
    body: () => publicIPBody(place, address, failureDomains),
  }));

const gateways = (place: ClusterPlace): readonly Part[] => {
  const all = place.spec.networkSpec.subnets.flatMap(({ natGateway }) => natGateway ?? []);
  return [...new Map(all.map((gateway) => [gateway.name, gateway])).values()].map((gateway) => ({
    service: "NATGateways",
    ref: refs.natGateway(place, gateway.name),
    tags: tagsFor(place, gateway.name),
    body: () => natGatewayBody(place, gateway),
  }));
};

/** The subnets of a cluster, with that of its bastion host. */
const subnetsOf = ({ spec: { bastionSpec, networkSpec } }: ClusterPlace) => {
  const own = bastionSpec?.azureBastion?.subnet;
  const isGiven = networkSpec.subnets.some(({ name }) => name === own?.name);
  return own === undefined || isGiven ? networkSpec.subnets : [...networkSpec.subnets, own];
};

const subnets = (place: ClusterPlace): readonly Part[] =>
  subnetsOf(place).map((subnet) => ({
    service: "Subnets",
    ref: refs.subnet(place, subnet.name),
    tags: undefined,
    body: (present) => subnetBody(place, subnet, present),
    differs: (present) => subnetDiffers(place, subnet, present),
  }));

/** Those with private addresses are in a subnet; those with public ones need the addresses alone. */
const balancers = (place: ClusterPlace, isIn: "subnet" | "public"): readonly Part[] =>
  plannedLoadBalancers(place)
    .filter(({ balancer }) => isInternal(balancer) === (isIn === "subnet"))
    .map((planned) => ({
      service: "LoadBalancers",
      ref: refs.loadBalancer(place, planned.balancer.name),
      tags: tagsFor(place, planned.balancer.name, planned.role),
      body: (present) => loadBalancerBody(place, planned, present),
      differs: (present) => loadBalancerDiffers(place, planned, present),
    }));

/**
 * The parts of a cluster in waves: what is in one wave can be made at once, when those before are there. Without a network of its own the
 * cluster uses what there is of another one.
 */
export const partWaves = (
  place: ClusterPlace,
  facts: PlanFacts,
  isNetworkOurs: boolean,
): readonly (readonly Part[])[] => {
  const { links, record, zone } = privateDnsParts(place);
  return [
    groupParts(place),
    [
      ...(isNetworkOurs ? [network(place), ...securityAndRoutes(place)] : []),
      ...addresses(place, facts, isNetworkOurs),
    ],
    [...(isNetworkOurs ? gateways(place) : []), ...balancers(place, "public")],
    isNetworkOurs ? subnets(place) : [],
    peeringParts(place),
    [...balancers(place, "subnet"), ...zone],
    [...links, ...record, ...privateEndpointParts(place), ...bastionParts(place)],
  ];
};

/**
 * The parts in the order of their deletion: what is in one wave is used by nothing when those before are gone. Subnets go with the network,
 * and records with their zone where that was made for the cluster.
 */
export const removalWaves = (place: ClusterPlace): readonly (readonly Part[])[] => {
  const { links, record, zone } = privateDnsParts(place);
  return [
    [...bastionParts(place), ...privateEndpointParts(place), ...record, ...links],
    [...zone, ...balancers(place, "subnet"), ...balancers(place, "public")],
    peeringParts(place),
    [network(place)],
    [...gateways(place), ...securityAndRoutes(place)],
    addresses(place, { failureDomains: [] }, true),
  ];
};

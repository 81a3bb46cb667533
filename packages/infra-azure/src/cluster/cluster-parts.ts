import { isJsonObject } from "@capstan/schema";
import { isChanging, provisioningStateOf } from "../arm/operation.ts";
import type { ResourceRef } from "../arm/resource-id.ts";
import type { AzureApi, AzureResource, ResourceBody } from "../cloud/azure-api.ts";
import type { ArmCall } from "../arm/arm-client.ts";
import type { ClusterService, ServiceState } from "./cluster-conditions.ts";
import { loadBalancerBody, loadBalancerDiffers, plannedLoadBalancers } from "./load-balancer-bodies.ts";
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
import type { ClusterPlace } from "./place.ts";
import { refs } from "./place.ts";
import { plannedAddresses, publicIPBody } from "./public-ips.ts";
import { isOwned } from "./resource-tags.ts";

/** One resource of a cluster. */
export interface Part {
  readonly service: ClusterService;
  readonly ref: ResourceRef;
  readonly body: (present: AzureResource | undefined) => ResourceBody;
  /** Whether what is there has to be changed. Default: it never is. */
  readonly differs?: (present: AzureResource) => boolean;
  /** One that others made is neither changed nor deleted; default true. Subnets have no tags: they go with their network. */
  readonly hasTags?: boolean;
}

/** A part as it was found. */
export interface SeenPart extends Part {
  readonly present: AzureResource | undefined;
  readonly state: ServiceState;
}

export interface PlanFacts {
  /** Zones of the location. */
  readonly failureDomains: readonly string[];
}

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)];

const groups = (place: ClusterPlace): readonly Part[] => {
  const { resourceGroup, networkSpec } = place.spec;
  const other = networkSpec.vnet.resourceGroup;
  const own: Part = { service: "ResourceGroup", ref: refs.group(place), body: () => groupBody(place, resourceGroup) };
  if (other.toLowerCase() === resourceGroup.toLowerCase()) return [own];
  return [own, { service: "ResourceGroup", ref: refs.networkGroup(place), body: () => groupBody(place, other) }];
};

const network = (place: ClusterPlace): Part => ({
  service: "VNet",
  ref: refs.network(place),
  body: (present) => networkBody(place, present),
  differs: (present) => networkDiffers(place, present),
});

/** What belongs to the network and is made only where the network is ours. */
const securityAndRoutes = (place: ClusterPlace): readonly Part[] => {
  const { subnets } = place.spec.networkSpec;
  return [
    ...unique(subnets.map(({ securityGroup }) => securityGroup.name)).map((name): Part => ({
      service: "SecurityGroups",
      ref: refs.securityGroup(place, name),
      body: (present) => securityGroupBody(place, name, present),
      differs: (present) => securityGroupDiffers(place, name, present),
    })),
    ...unique(subnets.flatMap(({ routeTable }) => routeTable?.name ?? [])).map((name): Part => ({
      service: "RouteTables",
      ref: refs.routeTable(place, name),
      body: () => routeTableBody(place, name),
    })),
  ];
};

const addresses = (place: ClusterPlace, { failureDomains }: PlanFacts, isNetworkOurs: boolean): readonly Part[] =>
  plannedAddresses(place, isNetworkOurs).map((address) => ({
    service: "PublicIPs",
    ref: refs.publicIP(place, address.name),
    body: () => publicIPBody(place, address, failureDomains),
  }));

const gateways = (place: ClusterPlace): readonly Part[] => {
  const all = place.spec.networkSpec.subnets.flatMap(({ natGateway }) => natGateway ?? []);
  return [...new Map(all.map((gateway) => [gateway.name, gateway])).values()].map((gateway) => ({
    service: "NATGateways",
    ref: refs.natGateway(place, gateway.name),
    body: () => natGatewayBody(place, gateway),
  }));
};

const subnets = (place: ClusterPlace): readonly Part[] =>
  place.spec.networkSpec.subnets.map((subnet) => ({
    service: "Subnets",
    ref: refs.subnet(place, subnet.name),
    body: (present) => subnetBody(place, subnet, present),
    differs: (present) => subnetDiffers(place, subnet, present),
    hasTags: false,
  }));

const balancers = (place: ClusterPlace): readonly Part[] =>
  plannedLoadBalancers(place).map((planned) => ({
    service: "LoadBalancers",
    ref: refs.loadBalancer(place, planned.balancer.name),
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
): readonly (readonly Part[])[] => [
  groups(place),
  [...(isNetworkOurs ? [network(place), ...securityAndRoutes(place)] : []), ...addresses(place, facts, isNetworkOurs)],
  isNetworkOurs ? gateways(place) : [],
  isNetworkOurs ? subnets(place) : [],
  balancers(place),
];

/** The parts in the order of their deletion: what is in one wave is used by nothing when those before are gone. Subnets go with the network. */
export const removalWaves = (place: ClusterPlace, facts: PlanFacts): readonly (readonly Part[])[] => [
  balancers(place),
  [network(place)],
  [...gateways(place), ...securityAndRoutes(place)],
  addresses(place, facts, true),
];

/** What is there of a part. */
export const seen = async (
  part: Part,
  { api, call, clusterName }: { readonly api: AzureApi; readonly call: ArmCall; readonly clusterName: string },
): Promise<SeenPart> => {
  const present = await api.find(part.ref, call);
  return { ...part, present, state: stateOf(part, present, clusterName) };
};

const stateOf = (part: Part, present: AzureResource | undefined, clusterName: string): ServiceState => {
  if (present === undefined) return "creating";
  if (isChanging(present)) return "updating";
  const isOurs = part.hasTags === false || isOwned(present, clusterName);
  if (!isOurs) return "ready";
  if (provisioningStateOf(present) === "Failed") return "failed";
  return part.differs?.(present) === true ? "updating" : "ready";
};

/** Whether a part has to be written: it is missing, otherwise than it should be, or was not made to its end. */
export const isDue = ({ present, state }: SeenPart): boolean =>
  state !== "ready" && (present === undefined || !isChanging(present));

/** The etag of a resource of the network, which changes of others make a new one of. */
export const etagOf = (present: AzureResource | undefined): string | undefined => {
  const etag: unknown = isJsonObject(present) ? present["etag"] : undefined;
  return typeof etag === "string" ? etag : undefined;
};

import { isJsonObject, sameJson } from "@capstan/schema";
import { childRef } from "../arm/resource-id.ts";
import type { ResourceRef } from "../arm/resource-id.ts";
import { azureStack } from "../cloud/azure-environments.ts";
import type { AzureResource, ResourceBody } from "../cloud/azure-api.ts";
import type { DefaultedLoadBalancer } from "./cluster-defaults.ts";
import type { ClusterPlace } from "./place.ts";
import { locationIn, refs, subnetsFor } from "./place.ts";
import type { ResourceRole } from "./resource-tags.ts";
import { resourceTags } from "./resource-tags.ts";
import { isIPv6 } from "./subnet-defaults.ts";

type Json = Readonly<Record<string, unknown>>;

/** A load balancer and what it is for. */
export interface PlannedLoadBalancer {
  readonly balancer: DefaultedLoadBalancer;
  readonly role: ResourceRole;
  /** It takes requests to the API server, not only what leaves. */
  readonly isForApiServer: boolean;
}

const probeName = "HTTPSProbe";
const ruleName = "LBRuleHTTPS";
const outboundRuleName = "OutboundNATAllProtocols";

export const isInternal = ({ type }: DefaultedLoadBalancer): boolean => type === "Internal";

/**
 * The load balancers of the API server, the one that its endpoint is of first. A public one that has a private address, too, is two at
 * Azure: the second one has the private address.
 */
export const apiServerBalancers = ({ spec }: Pick<ClusterPlace, "spec">): readonly DefaultedLoadBalancer[] => {
  const { apiServerLB } = spec.networkSpec;
  if (apiServerLB === undefined) return [];
  if (isInternal(apiServerLB)) return [apiServerLB];
  const { backendPool, frontendIPs, name } = apiServerLB;
  const inside = frontendIPs.filter(({ publicIP }) => publicIP === undefined);
  const outside = { ...apiServerLB, frontendIPs: frontendIPs.filter(({ publicIP }) => publicIP !== undefined) };
  if (inside.length === 0) return [outside];
  const second = {
    ...apiServerLB,
    name: `${name}-internal`,
    type: "Internal",
    frontendIPs: inside,
    backendPool: { name: `${backendPool.name}-internal` },
  };
  return [outside, second];
};

/** The load balancers of a cluster. */
export const plannedLoadBalancers = (place: ClusterPlace): readonly PlannedLoadBalancer[] => {
  const { controlPlaneOutboundLB, nodeOutboundLB } = place.spec.networkSpec;
  return [
    ...apiServerBalancers(place).map((balancer) => ({
      balancer,
      role: isInternal(balancer) ? ("apiserver-internal" as const) : ("apiserver" as const),
      isForApiServer: true,
    })),
    ...(nodeOutboundLB === undefined
      ? []
      : [{ balancer: nodeOutboundLB, role: "nodeOutbound" as const, isForApiServer: false }]),
    ...(controlPlaneOutboundLB === undefined
      ? []
      : [{ balancer: controlPlaneOutboundLB, role: "controlPlaneOutbound" as const, isForApiServer: false }]),
  ];
};

export const frontendRef = (balancer: ResourceRef, name: string): ResourceRef =>
  childRef(balancer, "frontendIPConfigurations", name);
export const poolRef = (balancer: ResourceRef, name: string): ResourceRef =>
  childRef(balancer, "backendAddressPools", name);

/** Port at which the API server is reached from outside. */
export const endpointPort = ({ apiPort, spec }: ClusterPlace): number => {
  const port = spec.controlPlaneEndpoint?.port;
  return port === undefined || port === 0 ? apiPort : port;
};

const frontends = (place: ClusterPlace, balancer: DefaultedLoadBalancer): readonly Json[] => {
  const zones = balancer.availabilityZones ?? [];
  const [subnet] = subnetsFor(place, "control-plane");
  return balancer.frontendIPs.map(({ name, privateIP, publicIP }) => ({
    name,
    ...(isInternal(balancer) && zones.length > 0 && { zones }),
    properties:
      publicIP === undefined
        ? {
            privateIPAllocationMethod: "Static",
            privateIPAddress: privateIP,
            ...(privateIP !== undefined && isIPv6(privateIP) && { privateIPAddressVersion: "IPv6" }),
            subnet: { id: refs.subnet(place, subnet?.name ?? "").id },
          }
        : { publicIPAddress: { id: refs.publicIP(place, publicIP.name).id } },
  }));
};

const probe = ({ apiPort, spec }: ClusterPlace): Json => ({
  name: probeName,
  properties: {
    protocol: "Https",
    port: apiPort,
    requestPath: "/readyz",
    intervalInSeconds: 15,
    numberOfProbes: 1,
    // Azure Stack does not know it.
    ...(spec.azureEnvironment !== azureStack && { probeThreshold: 1 }),
  },
});

const rules = (place: ClusterPlace, balancer: DefaultedLoadBalancer): readonly Json[] => {
  const self = refs.loadBalancer(place, balancer.name);
  const [frontend] = balancer.frontendIPs;
  const shared = {
    protocol: "Tcp",
    disableOutboundSnat: true,
    enableFloatingIP: false,
    idleTimeoutInMinutes: balancer.idleTimeoutInMinutes,
    loadDistribution: "Default",
    frontendIPConfiguration: { id: frontendRef(self, frontend?.name ?? "").id },
    backendAddressPool: { id: poolRef(self, balancer.backendPool.name).id },
    probe: { id: childRef(self, "probes", probeName).id },
  };
  const more = place.spec.networkSpec.additionalAPIServerLBPorts ?? [];
  return [
    { name: ruleName, properties: { ...shared, frontendPort: endpointPort(place), backendPort: place.apiPort } },
    ...more.map(({ name, port }) => ({ name, properties: { ...shared, frontendPort: port, backendPort: port } })),
  ];
};

const outboundRules = (place: ClusterPlace, balancer: DefaultedLoadBalancer): readonly Json[] => {
  if (isInternal(balancer) || balancer.frontendIPs.length === 0) return [];
  const self = refs.loadBalancer(place, balancer.name);
  const properties = {
    protocol: "All",
    idleTimeoutInMinutes: balancer.idleTimeoutInMinutes,
    frontendIPConfigurations: balancer.frontendIPs.map(({ name }) => ({ id: frontendRef(self, name).id })),
    backendAddressPool: { id: poolRef(self, balancer.backendPool.name).id },
  };
  return [{ name: outboundRuleName, properties }];
};

/** The parts of a load balancer by property; those that are `corrected` are put right, others only added. */
const partsOf = (place: ClusterPlace, { balancer, isForApiServer }: PlannedLoadBalancer) => ({
  frontendIPConfigurations: { wanted: frontends(place, balancer), corrected: false },
  backendAddressPools: { wanted: [{ name: balancer.backendPool.name }], corrected: false },
  probes: { wanted: isForApiServer ? [probe(place)] : [], corrected: true },
  loadBalancingRules: { wanted: isForApiServer ? rules(place, balancer) : [], corrected: true },
  outboundRules: { wanted: outboundRules(place, balancer), corrected: false },
});

const present = (resource: AzureResource | undefined, name: string): readonly Json[] => {
  const value = resource?.properties?.[name];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
};

/** Azure answers with other letter cases of ids, and with more fields. */
const says = (actual: unknown, wanted: unknown): boolean => {
  if (!isJsonObject(wanted)) {
    return typeof wanted === "string" && typeof actual === "string"
      ? actual.toLowerCase() === wanted.toLowerCase()
      : sameJson(actual, wanted);
  }
  return isJsonObject(actual) && Object.entries(wanted).every(([key, value]) => says(actual[key], value));
};

const named = (list: readonly Json[], name: unknown): Json | undefined => list.find((item) => item["name"] === name);

const missing = (existing: readonly Json[], wanted: readonly Json[], corrected: boolean): readonly Json[] =>
  wanted.filter((part) => {
    const found = named(existing, part["name"]);
    return found === undefined || (corrected && !says(found["properties"], part["properties"]));
  });

/** Returns whether a load balancer lacks something, or has something of ours otherwise. */
export const loadBalancerDiffers = (
  place: ClusterPlace,
  planned: PlannedLoadBalancer,
  resource: AzureResource,
): boolean =>
  Object.entries(partsOf(place, planned)).some(
    ([name, { corrected, wanted }]) => missing(present(resource, name), wanted, corrected).length > 0,
  );

/** A load balancer with all its parts; what others put there stays, above all the inbound NAT rules of machines. */
export const loadBalancerBody = (
  place: ClusterPlace,
  planned: PlannedLoadBalancer,
  resource: AzureResource | undefined,
): ResourceBody => {
  const { balancer, role } = planned;
  const parts = Object.entries(partsOf(place, planned)).map(([name, { corrected, wanted }]) => {
    const existing = present(resource, name);
    const changed = missing(existing, wanted, corrected);
    return [name, [...existing.filter((part) => named(changed, part["name"]) === undefined), ...changed]] as const;
  });
  return {
    ...locationIn(place),
    sku: { name: balancer.sku },
    tags: { ...resource?.tags, ...resourceTags(place.tags, { name: balancer.name, role }) },
    properties: { ...resource?.properties, ...Object.fromEntries(parts) },
  };
};

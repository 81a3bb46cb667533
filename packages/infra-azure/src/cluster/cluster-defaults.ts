import { azureStack } from "../cloud/azure-environments.ts";
import type { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import type { Gates } from "../gates.ts";
import { listOr, textOr } from "./given-or.ts";
import type { DefaultedSubnet } from "./subnet-defaults.ts";
import { defaultedBastionSubnet, defaultedSubnets, isIPv6 } from "./subnet-defaults.ts";

type Spec = NonNullable<AzureCluster["spec"]>;
type Network = NonNullable<Spec["networkSpec"]>;
type LoadBalancer = NonNullable<Network["apiServerLB"]>;
type Bastion = NonNullable<NonNullable<Spec["bastionSpec"]>["azureBastion"]>;

const defaultPrivateIP = "10.0.0.100";

/** Where an API server's load balancer is: of `type`, or Public. */
const typeOf = ({ type }: LoadBalancer): string => textOr(type, "Public");

const defaultedLoadBalancer = (given: LoadBalancer, name: string, frontends: (name: string) => Frontends) => {
  const own = textOr(given.name, name);
  return {
    ...given,
    name: own,
    type: typeOf(given),
    sku: textOr(given.sku, "Standard"),
    idleTimeoutInMinutes: given.idleTimeoutInMinutes ?? 4,
    frontendIPs: given.frontendIPs === undefined || given.frontendIPs.length === 0 ? frontends(own) : given.frontendIPs,
    backendPool: { name: textOr(given.backendPool?.name, `${own}-backendPool`) },
  };
};

type Frontends = NonNullable<LoadBalancer["frontendIPs"]>;

/** A load balancer with everything that is worked out of the cluster's name. */
export type DefaultedLoadBalancer = ReturnType<typeof defaultedLoadBalancer>;

const internal = (cluster: string, given: LoadBalancer): DefaultedLoadBalancer =>
  defaultedLoadBalancer(given, `${cluster}-internal-lb`, (name) => [
    { name: `${name}-frontEnd`, privateIP: defaultPrivateIP },
  ]);

const apiServer = (cluster: string, given: LoadBalancer, { apiServerILB }: Gates): DefaultedLoadBalancer => {
  if (typeOf(given) === "Internal") return internal(cluster, given);
  const balancer = defaultedLoadBalancer(given, `${cluster}-public-lb`, (name) => [
    { name: `${name}-frontEnd`, publicIP: { name: `pip-${cluster}-apiserver` } },
  ]);
  const { frontendIPs, name } = balancer;
  if (apiServerILB !== true || frontendIPs.some(({ privateIP }) => privateIP !== undefined)) return balancer;
  const beside = { name: `${name}-frontEnd-internal-ip`, privateIP: defaultPrivateIP };
  return { ...balancer, frontendIPs: [...frontendIPs, beside] };
};

/** Frontends that an outbound load balancer may have, as upstream's webhook says. */
export const maxFrontends = 16;

const outbound = (given: LoadBalancer, name: string, address: string): DefaultedLoadBalancer => {
  const count = given.frontendIPsCount ?? (given.frontendIPs?.length || 1);
  const own = textOr(given.name, name);
  // Defaults are filled in before anything is validated: a larger count is refused then, and makes no longer list here.
  const frontends = Array.from({ length: Math.min(count, maxFrontends) }, (_, index) => {
    const suffix = count === 1 ? "" : `-${index + 1}`;
    return { name: `${own}-frontEnd${suffix}`, publicIP: { name: `${address}${suffix}` } };
  });
  // Those of another count are of an earlier one.
  const kept = given.frontendIPs?.length === count ? given.frontendIPs : frontends;
  return {
    ...defaultedLoadBalancer(given, name, () => kept),
    frontendIPs: kept,
    frontendIPsCount: count,
    backendPool: { name: textOr(given.backendPool?.name, `${own}-outboundBackendPool`) },
  };
};

interface DefaultedLoadBalancers {
  readonly apiServerLB?: DefaultedLoadBalancer;
  readonly nodeOutboundLB?: DefaultedLoadBalancer;
  readonly controlPlaneOutboundLB?: DefaultedLoadBalancer;
}

const loadBalancers = (
  cluster: string,
  {
    gates,
    spec,
    subnets,
  }: { readonly gates: Gates; readonly spec: Spec; readonly subnets: readonly DefaultedSubnet[] },
): DefaultedLoadBalancers => {
  const network = spec.networkSpec ?? {};
  const isManaged = spec.controlPlaneEnabled ?? true;
  const apiServerLB = isManaged ? apiServer(cluster, network.apiServerLB ?? {}, gates) : undefined;
  const isPublic = apiServerLB?.type === "Public";
  const hasIPv6 = subnets.some(({ cidrBlocks, role }) => role === "node" && cidrBlocks.some(isIPv6));
  // Neither nodes with IPv6 addresses nor those of Azure Stack have NAT gateways.
  const needsBalancer = isPublic && (hasIPv6 || spec.azureEnvironment === azureStack);
  const nodes = network.nodeOutboundLB ?? (needsBalancer ? {} : undefined);
  const controlPlane = network.controlPlaneOutboundLB;
  return {
    ...(apiServerLB !== undefined && { apiServerLB }),
    ...(nodes !== undefined && { nodeOutboundLB: outbound(nodes, cluster, `pip-${cluster}-node-outbound`) }),
    ...(controlPlane !== undefined && {
      controlPlaneOutboundLB: outbound(controlPlane, `${cluster}-outbound-lb`, `pip-${cluster}-controlplane-outbound`),
    }),
  };
};

const defaultedBastion = (cluster: string, given: Bastion) => ({
  ...given,
  name: textOr(given.name, `${cluster}-azure-bastion`),
  subnet: defaultedBastionSubnet(given.subnet),
  publicIP: { ...given.publicIP, name: textOr(given.publicIP?.name, `${cluster}-azure-bastion-pip`) },
});

/** The spec of an AzureCluster of this name with all its defaults. Defaults of defaults change nothing. */
export const defaultedCluster = (cluster: string, spec: Spec, gates: Gates = {}) => {
  const resourceGroup = textOr(spec.resourceGroup, cluster);
  const {
    apiServerLB: _api,
    controlPlaneOutboundLB: _control,
    nodeOutboundLB: _node,
    ...network
  } = spec.networkSpec ?? {};
  const { peerings, ...vnet } = network.vnet ?? { name: "" };
  const subnets = defaultedSubnets(cluster, network.subnets ?? [], spec.azureEnvironment !== azureStack);
  const { bastionSpec, ...others } = spec;
  const bastion = bastionSpec?.azureBastion;
  return {
    ...others,
    resourceGroup,
    azureEnvironment: textOr(spec.azureEnvironment, "AzurePublicCloud"),
    controlPlaneEnabled: spec.controlPlaneEnabled ?? true,
    networkSpec: {
      ...network,
      vnet: {
        ...vnet,
        name: textOr(vnet.name, `${cluster}-vnet`),
        resourceGroup: textOr(vnet.resourceGroup, resourceGroup),
        cidrBlocks: listOr(vnet.cidrBlocks, ["10.0.0.0/8"]),
        ...(peerings !== undefined && {
          peerings: peerings.map((peering) => ({
            ...peering,
            resourceGroup: textOr(peering.resourceGroup, resourceGroup),
          })),
        }),
      },
      subnets,
      ...loadBalancers(cluster, { gates, spec, subnets }),
    },
    ...(bastionSpec !== undefined && {
      bastionSpec: bastion === undefined ? {} : { azureBastion: defaultedBastion(cluster, bastion) },
    }),
  };
};

/** Spec of an AzureCluster with all its defaults. */
export type DefaultedCluster = ReturnType<typeof defaultedCluster>;

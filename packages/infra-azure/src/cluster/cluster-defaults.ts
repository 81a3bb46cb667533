import type { AzureCluster } from "../api/azure-cluster.v1beta1.ts";

type Spec = NonNullable<AzureCluster["spec"]>;
type Network = NonNullable<Spec["networkSpec"]>;
type Subnet = NonNullable<Network["subnets"]>[number];
type LoadBalancer = NonNullable<Network["apiServerLB"]>;
type Bastion = NonNullable<NonNullable<Spec["bastionSpec"]>["azureBastion"]>;

/** The text, or what stands for one that is missing or empty. */
const textOr = (given: string | undefined, otherwise: string): string =>
  given === undefined || given === "" ? otherwise : given;

const listOr = (given: readonly string[] | undefined, otherwise: readonly string[]): readonly string[] =>
  given === undefined || given.length === 0 ? otherwise : given;

const isIPv6 = (range: string): boolean => range.includes(":");

const defaultPrivateIP = "10.0.0.100";

/** Names that stand for those that a subnet does not give. */
interface SubnetNames {
  readonly name: string;
  readonly range: string;
  readonly securityGroup: string;
  readonly routeTable: string | undefined;
  readonly natGateway: string | undefined;
}

const defaultedSubnet = (subnet: Subnet, names: SubnetNames) => {
  const { natGateway, routeTable, ...given } = subnet;
  const cidrBlocks = listOr(given.cidrBlocks, [names.range]);
  const isBrought = textOr(given.id, "") !== "";
  const wantsGateway = names.natGateway !== undefined && !isBrought && !cidrBlocks.some(isIPv6);
  const gatewayName = textOr(natGateway?.name, wantsGateway ? (names.natGateway ?? "") : "");
  const tableName = textOr(routeTable?.name, names.routeTable ?? "");
  const rules = given.securityGroup?.securityRules;
  return {
    ...given,
    name: textOr(given.name, names.name),
    cidrBlocks,
    securityGroup: {
      ...given.securityGroup,
      name: textOr(given.securityGroup?.name, names.securityGroup),
      ...(rules !== undefined && {
        securityRules: rules.map((rule) => ({ ...rule, direction: rule.direction ?? ("Inbound" as const) })),
      }),
    },
    ...(tableName !== "" && { routeTable: { ...routeTable, name: tableName } }),
    ...(gatewayName !== "" && {
      natGateway: {
        ...natGateway,
        name: gatewayName,
        ip: { ...natGateway?.ip, name: textOr(natGateway?.ip?.name, `pip-${gatewayName}`) },
      },
    }),
  };
};

/** A subnet with everything that is worked out of the cluster's name. */
export type DefaultedSubnet = ReturnType<typeof defaultedSubnet>;

const nodeNames = (cluster: string, number: number | undefined): SubnetNames => {
  const suffix = number === undefined ? "" : `-${number}`;
  return {
    name: `${cluster}-node-subnet${suffix}`,
    range: `10.${number ?? 1}.0.0/16`,
    securityGroup: `${cluster}-node-nsg`,
    routeTable: `${cluster}-node-routetable`,
    natGateway: `${cluster}-node-natgw${suffix}`,
  };
};

const clusterNames = (cluster: string): SubnetNames => ({
  name: `${cluster}-subnet`,
  range: "10.0.0.0/16",
  securityGroup: `${cluster}-nsg`,
  routeTable: `${cluster}-routetable`,
  natGateway: `${cluster}-natgw`,
});

const withDefaults = (cluster: string, given: readonly Subnet[]): readonly DefaultedSubnet[] => {
  let nodes = 0;
  const others = given.map((subnet) => {
    if (subnet.role === "cluster") return defaultedSubnet(subnet, clusterNames(cluster));
    if (subnet.role !== "node") return undefined;
    nodes += 1;
    return defaultedSubnet(subnet, nodeNames(cluster, nodes));
  });
  const added = given.some(({ role }) => role === "node" || role === "cluster")
    ? []
    : [defaultedSubnet({ name: "", role: "node" }, nodeNames(cluster, undefined))];
  const routeTable = [...others, ...added].find((subnet) => subnet?.routeTable !== undefined)?.routeTable?.name;
  const controlPlane: SubnetNames = {
    name: `${cluster}-controlplane-subnet`,
    range: "10.0.0.0/16",
    securityGroup: `${cluster}-controlplane-nsg`,
    routeTable,
    natGateway: undefined,
  };
  const isWhole = given.some(({ role }) => role === "control-plane" || role === "cluster");
  return [
    ...(isWhole ? [] : [defaultedSubnet({ name: "", role: "control-plane" }, controlPlane)]),
    ...given.map((subnet, index) => others[index] ?? defaultedSubnet(subnet, controlPlane)),
    ...added,
  ];
};

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

const apiServer = (cluster: string, given: LoadBalancer): DefaultedLoadBalancer =>
  typeOf(given) === "Internal"
    ? defaultedLoadBalancer(given, `${cluster}-internal-lb`, (name) => [
        { name: `${name}-frontEnd`, privateIP: defaultPrivateIP },
      ])
    : defaultedLoadBalancer(given, `${cluster}-public-lb`, (name) => [
        { name: `${name}-frontEnd`, publicIP: { name: `pip-${cluster}-apiserver` } },
      ]);

const outbound = (given: LoadBalancer, name: string, address: string): DefaultedLoadBalancer => {
  const count = given.frontendIPsCount ?? 1;
  const own = textOr(given.name, name);
  const frontends = (): Frontends =>
    Array.from({ length: count }, (_, index) => {
      const suffix = count === 1 ? "" : `-${index + 1}`;
      return { name: `${own}-frontEnd${suffix}`, publicIP: { name: `${address}${suffix}` } };
    });
  const whole = defaultedLoadBalancer(given, name, frontends);
  return {
    ...whole,
    frontendIPsCount: count,
    backendPool: { name: textOr(given.backendPool?.name, `${own}-outboundBackendPool`) },
  };
};

interface DefaultedLoadBalancers {
  readonly apiServerLB?: DefaultedLoadBalancer;
  readonly nodeOutboundLB?: DefaultedLoadBalancer;
  readonly controlPlaneOutboundLB?: DefaultedLoadBalancer;
}

const loadBalancers = (cluster: string, spec: Spec, subnets: readonly DefaultedSubnet[]): DefaultedLoadBalancers => {
  const network = spec.networkSpec ?? {};
  const isManaged = spec.controlPlaneEnabled ?? true;
  const apiServerLB = isManaged ? apiServer(cluster, network.apiServerLB ?? {}) : undefined;
  const isPublic = apiServerLB?.type === "Public";
  const hasIPv6 = subnets.some(({ cidrBlocks, role }) => role === "node" && cidrBlocks.some(isIPv6));
  const nodes = network.nodeOutboundLB ?? (isPublic && hasIPv6 ? {} : undefined);
  const controlPlane = network.controlPlaneOutboundLB;
  return {
    ...(apiServerLB !== undefined && { apiServerLB }),
    ...(nodes !== undefined && { nodeOutboundLB: outbound(nodes, cluster, `pip-${cluster}-node-outbound`) }),
    ...(controlPlane !== undefined && {
      controlPlaneOutboundLB: outbound(controlPlane, `${cluster}-outbound-lb`, `pip-${cluster}-controlplane-outbound`),
    }),
  };
};

const defaultedBastion = (cluster: string, given: Bastion): Bastion => ({
  ...given,
  name: textOr(given.name, `${cluster}-azure-bastion`),
  subnet: {
    ...given.subnet,
    name: textOr(given.subnet?.name, "AzureBastionSubnet"),
    role: given.subnet?.role ?? "bastion",
    cidrBlocks: listOr(given.subnet?.cidrBlocks, ["10.255.255.224/27"]),
  },
  publicIP: { ...given.publicIP, name: textOr(given.publicIP?.name, `${cluster}-azure-bastion-pip`) },
});

/** The spec of an AzureCluster of this name with all its defaults. Defaults of defaults change nothing. */
export const defaultedCluster = (cluster: string, spec: Spec) => {
  const resourceGroup = textOr(spec.resourceGroup, cluster);
  const {
    apiServerLB: _api,
    controlPlaneOutboundLB: _control,
    nodeOutboundLB: _node,
    ...network
  } = spec.networkSpec ?? {};
  const { peerings, ...vnet } = network.vnet ?? { name: "" };
  const subnets = withDefaults(cluster, network.subnets ?? []);
  const bastion = spec.bastionSpec?.azureBastion;
  return {
    ...spec,
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
      ...loadBalancers(cluster, spec, subnets),
    },
    ...(bastion !== undefined && {
      bastionSpec: { ...spec.bastionSpec, azureBastion: defaultedBastion(cluster, bastion) },
    }),
  };
};

/** What `defaultedCluster` makes of a spec. */
export type DefaultedCluster = ReturnType<typeof defaultedCluster>;

import type { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import { listOr, textOr } from "./given-or.ts";

type Spec = NonNullable<AzureCluster["spec"]>;
type Subnet = NonNullable<NonNullable<Spec["networkSpec"]>["subnets"]>[number];

/** Returns whether a range or an address is of version 6. */
export const isIPv6 = (range: string): boolean => range.includes(":");

/** Names that stand for those that a subnet does not give. */
interface SubnetNames {
  readonly name: string;
  readonly range: string;
  /** Empty: none. */
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

/** Azure knows the subnet of bastion hosts by this name. */
const bastionNames: SubnetNames = {
  name: "AzureBastionSubnet",
  range: "10.255.255.224/27",
  securityGroup: "",
  routeTable: undefined,
  natGateway: undefined,
};

/** The subnet of a bastion host, which has neither security group nor routes unless they are given. */
export const defaultedBastionSubnet = (given: Partial<Subnet> = {}): DefaultedSubnet =>
  defaultedSubnet({ name: "", ...given, role: given.role ?? "bastion" }, bastionNames);

/** The subnets of a cluster, those that it has to have among them. `hasGateways`: whether the cloud has NAT gateways. */
export const defaultedSubnets = (
  cluster: string,
  given: readonly Subnet[],
  hasGateways: boolean,
): readonly DefaultedSubnet[] => {
  let nodes = 0;
  const withGateway = ({ natGateway, ...names }: SubnetNames): SubnetNames => ({
    ...names,
    natGateway: hasGateways ? natGateway : undefined,
  });
  const others = given.map((subnet) => {
    if (subnet.role === "cluster") return defaultedSubnet(subnet, withGateway(clusterNames(cluster)));
    if (subnet.role === "bastion") return defaultedBastionSubnet(subnet);
    if (subnet.role !== "node") return undefined;
    nodes += 1;
    return defaultedSubnet(subnet, withGateway(nodeNames(cluster, nodes)));
  });
  const added = given.some(({ role }) => role === "node" || role === "cluster")
    ? []
    : [defaultedSubnet({ name: "", role: "node" }, withGateway(nodeNames(cluster, undefined)))];
  const routeTable = [...others, ...added].find(
    (subnet) => subnet?.role !== "bastion" && subnet?.routeTable !== undefined,
  )?.routeTable?.name;
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

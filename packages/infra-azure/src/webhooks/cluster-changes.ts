import { invalid, unchanged } from "@capstan/kit/admission";
import { type Cause, sameJson } from "@capstan/schema";
import type { DefaultedCluster, DefaultedLoadBalancer, DefaultedSubnet } from "../cluster/cluster-defaults.ts";

/** As `unchanged`, for fields that may be set where they were empty. */
const kept = (field: string, before: unknown, after: unknown): readonly Cause[] =>
  before === "" || before === 0 ? [] : unchanged(field, before, after);

/** As `unchanged`, for fields that may not be set later either. */
const fixed = (field: string, before: unknown, after: unknown): readonly Cause[] =>
  sameJson(before, after) ? [] : [invalid(field, after ?? null, "the field cannot be changed")];

const balancerChanges = (
  before: DefaultedLoadBalancer | undefined,
  after: DefaultedLoadBalancer | undefined,
  path: string,
): readonly Cause[] => {
  if (before === undefined || after === undefined) return [];
  const addresses = ({ frontendIPs }: DefaultedLoadBalancer) => frontendIPs.map(({ privateIP }) => privateIP ?? "");
  return [
    ...fixed(`${path}.name`, before.name, after.name),
    ...fixed(`${path}.sku`, before.sku, after.sku),
    ...fixed(`${path}.type`, before.type, after.type),
    ...fixed(`${path}.idleTimeoutInMinutes`, before.idleTimeoutInMinutes, after.idleTimeoutInMinutes),
    ...fixed(`${path}.availabilityZones`, before.availabilityZones, after.availabilityZones),
    ...fixed(`${path}.frontendIPs`, addresses(before), addresses(after)),
  ];
};

const subnetChanges = (
  before: readonly DefaultedSubnet[],
  after: readonly DefaultedSubnet[],
  path: string,
): readonly Cause[] =>
  after.flatMap((subnet, index) => {
    const known = before.find(({ name }) => name === subnet.name);
    if (known === undefined) return [];
    const at = `${path}[${index}]`;
    return [
      ...fixed(`${at}.securityGroup.name`, known.securityGroup.name, subnet.securityGroup.name),
      ...fixed(`${at}.cidrBlocks`, known.cidrBlocks, subnet.cidrBlocks),
      ...unchanged(`${at}.routeTable.name`, known.routeTable?.name, subnet.routeTable?.name),
      ...unchanged(`${at}.natGateway.name`, known.natGateway?.name, subnet.natGateway?.name),
    ];
  });

/** What may not become of a spec. */
export const clusterChanges = (before: DefaultedCluster, after: DefaultedCluster): readonly Cause[] => {
  const [old, now] = [before.networkSpec, after.networkSpec];
  const path = "spec.networkSpec";
  return [
    ...fixed("spec.location", before.location, after.location),
    ...kept("spec.subscriptionID", before.subscriptionID ?? "", after.subscriptionID),
    ...fixed("spec.resourceGroup", before.resourceGroup, after.resourceGroup),
    ...fixed("spec.azureEnvironment", before.azureEnvironment, after.azureEnvironment),
    ...fixed("spec.controlPlaneEnabled", before.controlPlaneEnabled, after.controlPlaneEnabled),
    ...kept("spec.controlPlaneEndpoint.host", before.controlPlaneEndpoint?.host, after.controlPlaneEndpoint?.host),
    ...kept("spec.controlPlaneEndpoint.port", before.controlPlaneEndpoint?.port, after.controlPlaneEndpoint?.port),
    ...fixed(`${path}.vnet.name`, old.vnet.name, now.vnet.name),
    ...fixed(`${path}.vnet.resourceGroup`, old.vnet.resourceGroup, now.vnet.resourceGroup),
    ...subnetChanges(old.subnets, now.subnets, `${path}.subnets`),
    ...balancerChanges(old.apiServerLB, now.apiServerLB, `${path}.apiServerLB`),
    ...balancerChanges(old.nodeOutboundLB, now.nodeOutboundLB, `${path}.nodeOutboundLB`),
  ];
};

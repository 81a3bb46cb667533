import { invalid, unchanged } from "@capstan/kit/admission";
import { type Cause, sameJson } from "@capstan/schema";
import type { DefaultedCluster, DefaultedLoadBalancer } from "../cluster/cluster-defaults.ts";
import { hasClusterTag } from "../cluster/resource-tags.ts";
import type { DefaultedSubnet } from "../cluster/subnet-defaults.ts";

/** As `unchanged`, for fields that may be set where they were empty. */
const kept = (field: string, before: unknown, after: unknown): readonly Cause[] =>
  before === "" || before === 0 ? [] : unchanged(field, before, after);

/** As `unchanged`, for fields that may not be set later either. */
const fixed = (field: string, before: unknown, after: unknown): readonly Cause[] =>
  sameJson(before, after) ? [] : [invalid(field, after ?? null, "field is immutable")];

const balancerChanges = (
  before: DefaultedLoadBalancer | undefined,
  after: DefaultedLoadBalancer | undefined,
  path: string,
): readonly Cause[] => {
  if (before === undefined || after === undefined) return [];
  const addresses = ({ frontendIPs }: DefaultedLoadBalancer) => frontendIPs.map(({ privateIP }) => privateIP ?? "");
  const isOtherCount = before.frontendIPsCount !== after.frontendIPsCount;
  return [
    ...fixed(`${path}.name`, before.name, after.name),
    ...fixed(`${path}.sku`, before.sku, after.sku),
    ...fixed(`${path}.type`, before.type, after.type),
    ...fixed(`${path}.idleTimeoutInMinutes`, before.idleTimeoutInMinutes, after.idleTimeoutInMinutes),
    ...fixed(`${path}.availabilityZones`, before.availabilityZones, after.availabilityZones),
    ...(isOtherCount ? [] : fixed(`${path}.frontendIPs`, addresses(before), addresses(after))),
  ];
};

/** Frontends of an outbound load balancer change with their number alone. */
const outboundChanges = (
  before: DefaultedLoadBalancer | undefined,
  after: DefaultedLoadBalancer | undefined,
  path: string,
): readonly Cause[] => {
  const isSameCount = before?.frontendIPsCount === after?.frontendIPsCount;
  return [
    ...balancerChanges(before, after, path),
    ...(isSameCount && before !== undefined && after !== undefined
      ? fixed(`${path}.frontendIPs`, before.frontendIPs, after.frontendIPs)
      : []),
  ];
};

const subnetChanges = (
  before: readonly DefaultedSubnet[],
  after: readonly DefaultedSubnet[],
  { isManaged, path }: { readonly isManaged: boolean; readonly path: string },
): readonly Cause[] =>
  after.flatMap((subnet, index) => {
    const known = before.find(({ name }) => name === subnet.name);
    if (known === undefined) return [];
    const at = `${path}[${index}]`;
    return [
      ...fixed(`${at}.securityGroup.name`, known.securityGroup.name, subnet.securityGroup.name),
      ...(isManaged ? fixed(`${at}.cidrBlocks`, known.cidrBlocks, subnet.cidrBlocks) : []),
      ...unchanged(`${at}.routeTable.name`, known.routeTable?.name, subnet.routeTable?.name),
      ...unchanged(`${at}.natGateway.name`, known.natGateway?.name, subnet.natGateway?.name),
    ];
  });

const privateDnsChanges = (
  before: DefaultedCluster["networkSpec"],
  after: DefaultedCluster["networkSpec"],
  path: string,
): readonly Cause[] => [
  ...fixed(`${path}.privateDNSZone`, before.privateDNSZone ?? "System", after.privateDNSZone ?? "System"),
  ...fixed(`${path}.privateDNSZoneName`, before.privateDNSZoneName ?? "", after.privateDNSZoneName ?? ""),
  ...fixed(
    `${path}.privateDNSZoneResourceGroup`,
    before.privateDNSZoneResourceGroup ?? "",
    after.privateDNSZoneResourceGroup ?? "",
  ),
];

/** Returns the refused changes to the spec of an AzureCluster. */
export const clusterChanges = (
  before: DefaultedCluster,
  after: DefaultedCluster,
  clusterName: string,
): readonly Cause[] => {
  const [old, now] = [before.networkSpec, after.networkSpec];
  const path = "spec.networkSpec";
  // The tags are written there by the controller. Ranges of a network of others are whatever it has.
  const isManaged = hasClusterTag(old.vnet.tags === undefined ? {} : { tags: old.vnet.tags }, clusterName);
  return [
    ...fixed("spec.location", before.location, after.location),
    ...fixed("spec.extendedLocation", before.extendedLocation, after.extendedLocation),
    ...kept("spec.subscriptionID", before.subscriptionID ?? "", after.subscriptionID),
    ...fixed("spec.resourceGroup", before.resourceGroup, after.resourceGroup),
    ...fixed("spec.azureEnvironment", before.azureEnvironment, after.azureEnvironment),
    ...fixed("spec.controlPlaneEnabled", before.controlPlaneEnabled, after.controlPlaneEnabled),
    ...fixed(
      "spec.cloudProviderConfigOverrides",
      before.cloudProviderConfigOverrides,
      after.cloudProviderConfigOverrides,
    ),
    ...kept("spec.controlPlaneEndpoint.host", before.controlPlaneEndpoint?.host, after.controlPlaneEndpoint?.host),
    ...kept("spec.controlPlaneEndpoint.port", before.controlPlaneEndpoint?.port, after.controlPlaneEndpoint?.port),
    ...unchanged("spec.bastionSpec.azureBastion", before.bastionSpec?.azureBastion, after.bastionSpec?.azureBastion),
    ...fixed(`${path}.vnet.name`, old.vnet.name, now.vnet.name),
    ...fixed(`${path}.vnet.resourceGroup`, old.vnet.resourceGroup, now.vnet.resourceGroup),
    ...subnetChanges(old.subnets, now.subnets, { isManaged, path: `${path}.subnets` }),
    ...balancerChanges(old.apiServerLB, now.apiServerLB, `${path}.apiServerLB`),
    ...outboundChanges(old.nodeOutboundLB, now.nodeOutboundLB, `${path}.nodeOutboundLB`),
    ...fixed(`${path}.controlPlaneOutboundLB`, old.controlPlaneOutboundLB, now.controlPlaneOutboundLB),
    ...privateDnsChanges(old, now, path),
  ];
};

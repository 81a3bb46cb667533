import { forbidden, invalid } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";
import { azureStack } from "../cloud/azure-environments.ts";
import type { DefaultedCluster } from "../cluster/cluster-defaults.ts";
import { isIPv6 } from "../cluster/subnet-defaults.ts";

type Network = DefaultedCluster["networkSpec"];

const hasNo = (what: string): string => `Azure Stack has no ${what}: remove the field`;

const rangeCauses = (ranges: readonly string[], field: string): readonly Cause[] => {
  const found = ranges.find(isIPv6);
  return found === undefined ? [] : [invalid(field, found, "must be of IPv4: Azure Stack has no IPv6")];
};

const subnetCauses = ({ subnets }: Network, path: string): readonly Cause[] =>
  subnets.flatMap(({ cidrBlocks, natGateway, privateEndpoints = [], serviceEndpoints = [] }, index) => [
    ...rangeCauses(cidrBlocks, `${path}[${index}].cidrBlocks`),
    ...(natGateway === undefined ? [] : [forbidden(`${path}[${index}].natGateway`, hasNo("NAT gateways"))]),
    ...(serviceEndpoints.length === 0
      ? []
      : [forbidden(`${path}[${index}].serviceEndpoints`, hasNo("service endpoints"))]),
    ...(privateEndpoints.length === 0
      ? []
      : [forbidden(`${path}[${index}].privateEndpoints`, hasNo("private endpoints"))]),
  ]);

const balancerCauses = (network: Network, path: string): readonly Cause[] => {
  const { apiServerLB, controlPlaneOutboundLB, nodeOutboundLB, privateDNSZone } = network;
  const inZones = Object.entries({ apiServerLB, controlPlaneOutboundLB, nodeOutboundLB }).filter(
    ([, balancer]) => (balancer?.availabilityZones ?? []).length > 0,
  );
  return [
    ...inZones.map(([name]) => forbidden(`${path}.${name}.availabilityZones`, hasNo("availability zones"))),
    ...(apiServerLB?.type === "Internal" && privateDNSZone !== "None"
      ? [
          invalid(
            `${path}.privateDNSZone`,
            privateDNSZone ?? "System",
            "must be None: Azure Stack has no private DNS zones",
          ),
        ]
      : []),
  ];
};

/** Returns the parts of a spec with its defaults that an Azure Stack Hub cannot serve; none for other clouds. */
export const stackCauses = (spec: DefaultedCluster): readonly Cause[] => {
  if (spec.azureEnvironment !== azureStack) return [];
  const { bastionSpec, extendedLocation, networkSpec } = spec;
  const path = "spec.networkSpec";
  return [
    ...rangeCauses(networkSpec.vnet.cidrBlocks, `${path}.vnet.cidrBlocks`),
    ...subnetCauses(networkSpec, `${path}.subnets`),
    ...balancerCauses(networkSpec, path),
    ...(bastionSpec?.azureBastion === undefined
      ? []
      : [forbidden("spec.bastionSpec.azureBastion", hasNo("bastion hosts"))]),
    ...(extendedLocation === undefined ? [] : [forbidden("spec.extendedLocation", hasNo("edge zones"))]),
  ];
};

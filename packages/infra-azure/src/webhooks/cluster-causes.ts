import { forbidden, invalid, required } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";
import type { DefaultedCluster, DefaultedLoadBalancer, DefaultedSubnet } from "../cluster/cluster-defaults.ts";
import { unservedCluster } from "../cluster/unserved.ts";
import { azureEnvironments } from "../cloud/azure-environments.ts";
import { beginsIn, isRange } from "./ranges.ts";

const clusterName = /^[a-z0-9][a-z0-9-]{0,42}[a-z0-9]$/;
const groupName = /^[-\w._()]+$/;
const subnetName = /^[-\w._]+$/;
const serviceName = /^Microsoft\.[a-zA-Z]{1,42}[a-zA-Z0-9]{0,42}$/;
const serviceLocation = /^(?:[a-z]{1,42}\d{0,5}|\*)$/;
const maxDescription = 140;
const maxFrontends = 16;

type Rules = NonNullable<DefaultedSubnet["securityGroup"]["securityRules"]>;

const ruleCauses = (rules: Rules, path: string): readonly Cause[] =>
  rules.flatMap(({ description, priority, source, sources }, index) => {
    const at = `${path}[${index}]`;
    const isOutside = priority !== undefined && (priority < 100 || priority > 4096);
    return [
      ...(isOutside ? [invalid(`${at}.priority`, priority, "must be from 100 to 4096")] : []),
      ...(description.length > maxDescription
        ? [invalid(`${at}.description`, description, `must have at most ${maxDescription} characters`)]
        : []),
      ...(source !== undefined && sources !== undefined
        ? [invalid(`${at}.sources`, sources, "either source or sources")]
        : []),
    ];
  });

const endpointCauses = (endpoints: NonNullable<DefaultedSubnet["serviceEndpoints"]>, path: string): readonly Cause[] =>
  endpoints.flatMap(({ locations, service }, index) => {
    const at = `${path}[${index}]`;
    const wrong = locations.find((location) => !serviceLocation.test(location));
    return [
      ...(serviceName.test(service) ? [] : [invalid(`${at}.service`, service, "must be as Microsoft.Storage")]),
      ...(locations.length === 0 ? [required(`${at}.locations`, "at least one region, or *")] : []),
      ...(wrong === undefined ? [] : [invalid(`${at}.locations`, wrong, "must be a region, or *")]),
    ];
  });

const subnetCauses = (
  subnets: readonly DefaultedSubnet[],
  ranges: readonly string[],
  path: string,
): readonly Cause[] => {
  const roles = new Set(subnets.map(({ role }) => role));
  const missing = roles.has("cluster") ? [] : (["control-plane", "node"] as const).filter((role) => !roles.has(role));
  return [
    ...missing.map((role) => required(path, `a subnet of the role ${role}`)),
    ...subnets.flatMap(({ cidrBlocks, name, securityGroup, serviceEndpoints }, index) => {
      const at = `${path}[${index}]`;
      const outside = cidrBlocks.filter((range) => !beginsIn(range, ranges));
      return [
        ...(subnetName.test(name) ? [] : [invalid(`${at}.name`, name, "letters, digits, -, _ and . only")]),
        ...outside.map((range) =>
          invalid(
            `${at}.cidrBlocks`,
            range,
            isRange(range) ? "is not in a range of the vnet" : "is no range, as 10.0.0.0/16",
          ),
        ),
        ...ruleCauses(securityGroup.securityRules ?? [], `${at}.securityGroup.securityRules`),
        ...endpointCauses(serviceEndpoints ?? [], `${at}.serviceEndpoints`),
      ];
    }),
  ];
};

const balancerCauses = (balancer: DefaultedLoadBalancer | undefined, path: string): readonly Cause[] => {
  if (balancer === undefined) return [];
  const { frontendIPsCount = 1, idleTimeoutInMinutes: idle, sku, type } = balancer;
  return [
    ...(sku === "Standard" ? [] : [invalid(`${path}.sku`, sku, "must be Standard")]),
    ...(type === "Public" || type === "Internal" ? [] : [invalid(`${path}.type`, type, "must be Public or Internal")]),
    ...(idle < 4 || idle > 30 ? [invalid(`${path}.idleTimeoutInMinutes`, idle, "must be from 4 to 30")] : []),
    ...(frontendIPsCount > maxFrontends
      ? [invalid(`${path}.frontendIPsCount`, frontendIPsCount, `must be at most ${maxFrontends}`)]
      : []),
  ];
};

const apiServerCauses = (balancer: DefaultedLoadBalancer | undefined, path: string): readonly Cause[] => {
  if (balancer === undefined || balancer.type !== "Public") return [];
  const { frontendIPs } = balancer;
  const isWhole = frontendIPs.length === 1 && frontendIPs[0]?.publicIP !== undefined;
  const hasPrivate = frontendIPs.some(({ privateIP }) => privateIP !== undefined);
  return [
    ...(isWhole ? [] : [invalid(`${path}.frontendIPs`, frontendIPs.length, "one with a public address")]),
    ...(hasPrivate ? [forbidden(`${path}.frontendIPs[0].privateIP`, "a Public load balancer has none")] : []),
  ];
};

const identityCauses = ({ identityRef }: DefaultedCluster): readonly Cause[] => {
  const path = "spec.identityRef";
  if (identityRef === undefined) return [required(path, "an AzureClusterIdentity")];
  const { kind, name = "" } = identityRef;
  return [
    ...(kind === "AzureClusterIdentity" ? [] : [invalid(`${path}.kind`, kind ?? "", "must be AzureClusterIdentity")]),
    ...(name === "" ? [required(`${path}.name`, "the name of an AzureClusterIdentity")] : []),
  ];
};

/** What is wrong with a spec with its defaults. */
export const clusterCauses = (name: string, spec: DefaultedCluster): readonly Cause[] => {
  const { azureEnvironment, networkSpec, resourceGroup } = spec;
  const { apiServerLB, controlPlaneOutboundLB, nodeOutboundLB, subnets, vnet } = networkSpec;
  const path = "spec.networkSpec";
  const wrongRange = vnet.cidrBlocks.find((range) => !isRange(range));
  return [
    ...(clusterName.test(name)
      ? []
      : [invalid("metadata.name", name, "2 to 44 lower-case letters, digits and -, and no - at its ends")]),
    ...(groupName.test(resourceGroup)
      ? []
      : [invalid("spec.resourceGroup", resourceGroup, "letters, digits, -, _, ., ( and ) only")]),
    ...(azureEnvironment in azureEnvironments
      ? []
      : [invalid("spec.azureEnvironment", azureEnvironment, `must be ${Object.keys(azureEnvironments).join(" or ")}`)]),
    ...identityCauses(spec),
    ...(wrongRange === undefined ? [] : [invalid(`${path}.vnet.cidrBlocks`, wrongRange, "is no range, as 10.0.0.0/8")]),
    ...subnetCauses(subnets, vnet.cidrBlocks, `${path}.subnets`),
    ...balancerCauses(apiServerLB, `${path}.apiServerLB`),
    ...apiServerCauses(apiServerLB, `${path}.apiServerLB`),
    ...balancerCauses(nodeOutboundLB, `${path}.nodeOutboundLB`),
    ...balancerCauses(controlPlaneOutboundLB, `${path}.controlPlaneOutboundLB`),
    ...unservedCluster(spec).map(({ field, instead }) => forbidden(field, `it is not supported: ${instead}`)),
  ];
};

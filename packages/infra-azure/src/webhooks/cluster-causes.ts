import { forbidden, invalid, repeats, required } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";
import type { DefaultedCluster } from "../cluster/cluster-defaults.ts";
import { environmentNames } from "../cloud/azure-environments.ts";
import type { Gates } from "../gates.ts";
import { balancersCauses } from "./balancer-causes.ts";
import { isRange } from "./ranges.ts";
import { stackCauses } from "./stack-causes.ts";
import { rangeCauses, subnetCauses } from "./subnet-causes.ts";

const clusterName = /^[a-z0-9][a-z0-9-]{0,42}[a-z0-9]$/;
const groupName = /^[-\w._()]+$/;
const zoneName = /^(?:[a-z0-9_](?:[-a-z0-9_]*[a-z0-9_])?\.)+[a-z0-9]+$/i;

/** Validates the name of an AzureCluster. */
export const nameCauses = (name: string): readonly Cause[] =>
  clusterName.test(name)
    ? []
    : [invalid("metadata.name", name, "2 to 44 lowercase letters, digits and -, not starting or ending with -")];

/** Validates the reference of an AzureCluster to its identity. */
export const identityRefCauses = ({ identityRef }: Pick<DefaultedCluster, "identityRef">): readonly Cause[] => {
  const path = "spec.identityRef";
  if (identityRef === undefined) return [required(path, "an AzureClusterIdentity")];
  const { kind, name = "" } = identityRef;
  return [
    ...(kind === "AzureClusterIdentity" ? [] : [invalid(`${path}.kind`, kind ?? "", "must be AzureClusterIdentity")]),
    ...(name === "" ? [required(`${path}.name`, "the name of an AzureClusterIdentity")] : []),
  ];
};

const groupCauses = (group: string, path: string): readonly Cause[] =>
  groupName.test(group) ? [] : [invalid(path, group, "letters, digits, -, _, ., ( and ) only")];

const networkCauses = ({ vnet }: DefaultedCluster["networkSpec"], path: string): readonly Cause[] => {
  const { cidrBlocks, peerings = [], resourceGroup } = vnet;
  const wrong = cidrBlocks.find((range) => !isRange(range));
  const keys = peerings.map((peering) => `${peering.resourceGroup}/${peering.remoteVnetName}`.toLowerCase());
  const isRepeated = repeats(keys);
  return [
    ...(wrong === undefined ? [] : [invalid(`${path}.cidrBlocks`, wrong, "is not a range such as 10.0.0.0/8")]),
    ...groupCauses(resourceGroup, `${path}.resourceGroup`),
    ...keys.flatMap((key, index) =>
      isRepeated[index] === true ? [invalid(`${path}.peerings[${index}]`, key, "this network is already peered")] : [],
    ),
  ];
};

const privateDnsCauses = (network: DefaultedCluster["networkSpec"], path: string): readonly Cause[] => {
  const { apiServerLB, privateDNSZoneName: name = "", privateDNSZoneResourceGroup: group = "" } = network;
  const isInternal = apiServerLB?.type === "Internal";
  return [
    ...(name !== "" && !isInternal
      ? [forbidden(`${path}.privateDNSZoneName`, "only where spec.networkSpec.apiServerLB.type is Internal")]
      : []),
    ...(name !== "" && !zoneName.test(name)
      ? [invalid(`${path}.privateDNSZoneName`, name, "is not a DNS zone such as example.internal")]
      : []),
    ...(group !== "" && name === ""
      ? [forbidden(`${path}.privateDNSZoneResourceGroup`, "only with spec.networkSpec.privateDNSZoneName")]
      : []),
    ...(group === "" ? [] : groupCauses(group, `${path}.privateDNSZoneResourceGroup`)),
  ];
};

const bastionCauses = ({ bastionSpec, networkSpec }: DefaultedCluster): readonly Cause[] => {
  const bastion = bastionSpec?.azureBastion;
  if (bastion === undefined) return [];
  const path = "spec.bastionSpec.azureBastion";
  return [
    ...rangeCauses(bastion.subnet, networkSpec.vnet.cidrBlocks, `${path}.subnet`),
    ...(bastion.enableTunneling && bastion.sku !== "Standard"
      ? [forbidden(`${path}.enableTunneling`, "only with the sku Standard")]
      : []),
  ];
};

/** Validates a spec with its defaults, of an AzureCluster or a template. */
export const clusterCauses = (spec: DefaultedCluster, gates: Gates): readonly Cause[] => {
  const { azureEnvironment, extendedLocation, networkSpec, resourceGroup } = spec;
  const { subnets, vnet } = networkSpec;
  const path = "spec.networkSpec";
  return [
    ...groupCauses(resourceGroup, "spec.resourceGroup"),
    ...(environmentNames.includes(azureEnvironment)
      ? []
      : [invalid("spec.azureEnvironment", azureEnvironment, `must be ${environmentNames.join(" or ")}`)]),
    ...(extendedLocation !== undefined && gates.edgeZone !== true
      ? [forbidden("spec.extendedLocation", "only with the gate EdgeZone")]
      : []),
    ...networkCauses(networkSpec, `${path}.vnet`),
    ...subnetCauses(subnets, vnet.cidrBlocks, `${path}.subnets`),
    ...balancersCauses(networkSpec, path, gates),
    ...privateDnsCauses(networkSpec, path),
    ...bastionCauses(spec),
    ...stackCauses(spec),
  ];
};

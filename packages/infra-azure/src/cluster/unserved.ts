import type { DefaultedCluster } from "./cluster-defaults.ts";

/** A field whose effect is not there, and what to do instead. */
export interface Unserved {
  readonly field: string;
  readonly instead: string;
}

/** Fields of an AzureCluster that nothing comes of: they are refused, never ignored. */
export const unservedCluster = ({
  bastionSpec,
  extendedLocation,
  networkSpec,
}: DefaultedCluster): readonly Unserved[] => {
  const { apiServerLB, privateDNSZone, privateDNSZoneName, privateDNSZoneResourceGroup, subnets, vnet } = networkSpec;
  const found: Unserved[] = [];
  const refuse = (isSet: boolean, field: string, instead: string): void => {
    if (isSet) found.push({ field: `spec.${field}`, instead });
  };
  const leave = "leave it out";
  refuse(bastionSpec?.azureBastion !== undefined, "bastionSpec.azureBastion", leave);
  refuse(extendedLocation !== undefined, "extendedLocation", leave);
  refuse((vnet.peerings ?? []).length > 0, "networkSpec.vnet.peerings", "make peerings yourself");
  refuse(apiServerLB?.type === "Internal", "networkSpec.apiServerLB.type Internal", "use Public");
  refuse(
    (apiServerLB?.frontendIPs.length ?? 0) > 1,
    "networkSpec.apiServerLB.frontendIPs",
    "give one with a public address",
  );
  refuse(networkSpec.controlPlaneOutboundLB !== undefined, "networkSpec.controlPlaneOutboundLB", leave);
  refuse(privateDNSZone !== undefined, "networkSpec.privateDNSZone", leave);
  refuse(privateDNSZoneName !== undefined, "networkSpec.privateDNSZoneName", leave);
  refuse(privateDNSZoneResourceGroup !== undefined, "networkSpec.privateDNSZoneResourceGroup", leave);
  for (const { name, privateEndpoints = [] } of subnets) {
    refuse(privateEndpoints.length > 0, `networkSpec.subnets[${name}].privateEndpoints`, "make them yourself");
  }
  return found;
};

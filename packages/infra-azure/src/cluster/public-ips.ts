import { own } from "@capstan/schema";
import { azureEnvironments } from "../cloud/azure-environments.ts";
import type { AzureResource, ResourceBody } from "../cloud/azure-api.ts";
import { dnsLabelOf, dnsNameOf } from "./dns-name.ts";
import { plannedLoadBalancers } from "./load-balancer-bodies.ts";
import type { ClusterPlace } from "./place.ts";
import { locationIn } from "./place.ts";
import type { ResourceRole } from "./resource-tags.ts";
import { resourceTags } from "./resource-tags.ts";

/** A public IP address that the cluster needs. */
export interface PlannedAddress {
  readonly name: string;
  readonly role: ResourceRole;
  readonly dnsName: string | undefined;
  readonly ipTags: readonly { readonly type: string; readonly tag: string }[];
  /** Zones it is in; all when empty. */
  readonly zones: readonly string[];
}

/** The addresses of load balancers, of the bastion host, and of NAT gateways where they are made, each once. */
export const plannedAddresses = (place: ClusterPlace, withGateways: boolean): readonly PlannedAddress[] => {
  const { name: cluster, spec, subscription } = place;
  const { azureEnvironment, location, resourceGroup: group } = spec;
  const suffix = own(azureEnvironments, azureEnvironment)?.cloudAppSuffix ?? "";
  const ofBalancers = plannedLoadBalancers(place).flatMap(({ balancer, isForApiServer, role }) =>
    balancer.frontendIPs.flatMap(({ publicIP }) => {
      if (publicIP === undefined) return [];
      const { ipTags = [], name } = publicIP;
      const own = isForApiServer
        ? dnsNameOf({ cluster, subscription, group, address: name, location, suffix })
        : undefined;
      return [{ name, role, dnsName: publicIP.dnsName ?? own, ipTags, zones: balancer.availabilityZones ?? [] }];
    }),
  );
  const bastion = spec.bastionSpec?.azureBastion;
  const ofBastion =
    bastion === undefined
      ? []
      : [
          {
            name: bastion.publicIP.name,
            role: "Bastion" as const,
            dnsName: bastion.publicIP.dnsName,
            ipTags: bastion.publicIP.ipTags ?? [],
            zones: [],
          },
        ];
  const ofGateways = spec.networkSpec.subnets.flatMap(({ natGateway }) =>
    natGateway === undefined || !withGateways
      ? []
      : [
          {
            name: natGateway.ip.name,
            role: "common" as const,
            dnsName: natGateway.ip.dnsName,
            ipTags: natGateway.ip.ipTags ?? [],
            zones: natGateway.zones ?? [],
          },
        ],
  );
  return [...new Map([...ofBalancers, ...ofBastion, ...ofGateways].map((address) => [address.name, address])).values()];
};

/** The body of an address. `failureDomains`: the zones of the cluster. */
export const publicIPBody = (
  place: ClusterPlace,
  { dnsName, ipTags, name, role, zones }: PlannedAddress,
  failureDomains: readonly string[],
): ResourceBody => {
  const inZones = zones.length > 0 ? zones : failureDomains;
  return {
    ...locationIn(place),
    tags: resourceTags(place.tags, { name, role }),
    sku: { name: "Standard" },
    ...(inZones.length > 0 && { zones: inZones }),
    properties: {
      publicIPAddressVersion: "IPv4",
      publicIPAllocationMethod: "Static",
      ...(dnsName !== undefined &&
        dnsName !== "" && {
          dnsSettings: { domainNameLabel: dnsLabelOf(dnsName), ...(dnsName.includes(".") && { fqdn: dnsName }) },
        }),
      ...(ipTags.length > 0 && { ipTags: ipTags.map(({ tag, type }) => ({ ipTagType: type, tag })) }),
    },
  };
};

/** Returns the host of an address: the DNS name that Azure gave it, or the IP address if it has none. */
export const hostOf = (address: AzureResource | undefined): string | undefined => {
  const { dnsSettings, ipAddress } = (address?.properties ?? {}) as {
    readonly dnsSettings?: { readonly fqdn?: string };
    readonly ipAddress?: string;
  };
  return dnsSettings?.fqdn ?? ipAddress;
};

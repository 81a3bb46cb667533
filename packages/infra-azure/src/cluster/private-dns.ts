import { isJsonObject, sameJson } from "@capstan/schema";
import { childRef, resourceRef, resourceTypes } from "../arm/resource-id.ts";
import type { ResourceRef } from "../arm/resource-id.ts";
import type { AzureResource } from "../cloud/azure-api.ts";
import { textOr } from "./given-or.ts";
import { remoteNetwork } from "./peerings.ts";
import type { Part } from "./part.ts";
import type { ClusterPlace } from "./place.ts";
import { refs } from "./place.ts";
import { ownedTags, resourceTags, tagOf } from "./resource-tags.ts";
import { isIPv6 } from "./subnet-defaults.ts";

const hostName = "apiserver";
const ttl = 300;

/** The private DNS zone by which an internal API server is found. */
interface PrivateZone {
  readonly name: string;
  readonly ref: ResourceRef;
  /** Address of the API server. */
  readonly address: string;
}

/** The private address of an internal API server. */
export const privateAddressOf = ({ spec }: ClusterPlace): string | undefined => {
  const { apiServerLB } = spec.networkSpec;
  return apiServerLB?.type === "Internal" ? apiServerLB.frontendIPs[0]?.privateIP : undefined;
};

/** `undefined`: there is none, because the API server is public, or because no one wants one. */
const zoneOf = (place: ClusterPlace): PrivateZone | undefined => {
  const { networkSpec, resourceGroup } = place.spec;
  const { privateDNSZone, privateDNSZoneName, privateDNSZoneResourceGroup } = networkSpec;
  const address = privateAddressOf(place);
  if (address === undefined || privateDNSZone === "None") return undefined;
  const name = textOr(privateDNSZoneName, `${place.name}.capz.io`);
  const group = textOr(privateDNSZoneResourceGroup, resourceGroup);
  const { subscription } = place;
  return { name, ref: resourceRef({ subscription, group }, resourceTypes.privateZone, name), address };
};

/** The name of an internal API server. */
export const privateHostOf = (place: ClusterPlace): string | undefined => {
  const zone = zoneOf(place);
  return zone === undefined ? undefined : `${hostName}.${zone.name}`;
};

const zonePart = (place: ClusterPlace, { name, ref }: PrivateZone): Part => {
  const tags = resourceTags(place.tags, { name, role: "common" });
  return {
    service: "PrivateDNSZone",
    ref,
    tags,
    body: (present) => ({ location: "global", tags: { ...present?.tags, ...tags } }),
  };
};

/** Networks in which the zone is known, by the names of their links. */
const linkedNetworks = (place: ClusterPlace): ReadonlyMap<string, ResourceRef> => {
  const { name, peerings = [] } = place.spec.networkSpec.vnet;
  const linked = new Map([[`${name}-link`, refs.network(place)]]);
  for (const peering of peerings) {
    const { remoteVnetName, resourceGroup } = peering;
    const link = `${remoteVnetName}-link`;
    linked.set(linked.has(link) ? `${remoteVnetName}-${resourceGroup}-link` : link, remoteNetwork(place, peering));
  }
  return linked;
};

const linkParts = (place: ClusterPlace, { ref }: PrivateZone): readonly Part[] =>
  [...linkedNetworks(place)].map(([name, network]) => {
    const tags = resourceTags(place.tags, { name, role: "common" });
    return {
      service: "PrivateDNSLink",
      ref: childRef(ref, "virtualNetworkLinks", name),
      tags,
      body: (present) => ({
        location: "global",
        tags: { ...present?.tags, ...tags },
        properties: { virtualNetwork: { id: network.id }, registrationEnabled: false },
      }),
    };
  });

const metadataOf = ({ properties = {} }: AzureResource): Readonly<Record<string, string>> => {
  const metadata = properties["metadata"];
  return isJsonObject(metadata) ? (metadata as Readonly<Record<string, string>>) : {};
};

/** Records have no tags; their metadata say whose they are. */
const recordPart = (place: ClusterPlace, { address, ref }: PrivateZone): Part => {
  const [type, field, key] = isIPv6(address)
    ? (["AAAA", "aaaaRecords", "ipv6Address"] as const)
    : (["A", "aRecords", "ipv4Address"] as const);
  const wanted = [{ [key]: address }];
  const metadata = ownedTags(place.tags);
  const isMarked = (present: AzureResource): boolean =>
    Object.entries(metadata).every(([name, value]) => tagOf({ tags: metadataOf(present) }, name) === value);
  return {
    service: "PrivateDNSRecord",
    ref: childRef(ref, type, hostName),
    tags: undefined,
    marks: metadataOf,
    differs: (present) => !sameJson(present.properties?.[field], wanted) || !isMarked(present),
    body: () => ({ properties: { ttl, [field]: wanted, metadata } }),
  };
};

/** Returns the parts that give an internal API server its name: the zone, its links to networks, and the record. */
export const privateDnsParts = (
  place: ClusterPlace,
): { readonly zone: readonly Part[]; readonly links: readonly Part[]; readonly record: readonly Part[] } => {
  const zone = zoneOf(place);
  if (zone === undefined) return { zone: [], links: [], record: [] };
  return { zone: [zonePart(place, zone)], links: linkParts(place, zone), record: [recordPart(place, zone)] };
};

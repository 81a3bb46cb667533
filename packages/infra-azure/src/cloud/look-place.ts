import { isJsonObject } from "@capstan/schema";
import type { ResourceRef, ResourceType } from "../arm/resource-id.ts";
import { resourceTypes } from "../arm/resource-id.ts";
import type { AzureResource } from "./azure-resource.ts";

/** Where a resource is seen. */
export interface LookPlace {
  /** Places of one key are seen together. */
  readonly key: string;
  /** The resource that is read: the one itself, or what it is part of. */
  readonly whole: ResourceRef;
  /** Where in that the resource is, if it is part of it. */
  readonly part?: { readonly collection: string; readonly name: string };
  /** The list that shows all of its type in its group, where there are ever several of one cluster. */
  readonly listed?: { readonly path: string; readonly apiVersion: string };
}

/** Types of which a cluster has several, or parts of which are read. */
const listedTypes: ReadonlyMap<string, ResourceType> = new Map(
  (
    [
      "virtualNetwork",
      "securityGroup",
      "routeTable",
      "publicIP",
      "natGateway",
      "loadBalancer",
      "networkInterface",
      "virtualMachine",
      "availabilitySet",
      "disk",
    ] as const
  ).map((name) => [resourceTypes[name].type.toLowerCase(), resourceTypes[name]]),
);

/** Parts that are shown whole in what they are part of. */
const shownParts: ReadonlySet<string> = new Set(["subnets", "virtualnetworkpeerings", "inboundnatrules"]);

/** The group that an ID is in, or is of, in lower case. */
export const groupKeyOf = (id: string): string | undefined =>
  /^\/subscriptions\/[^/]+\/resourcegroups\/[^/]+/.exec(id.toLowerCase())?.[0];

const inGroup =
  /^(\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers)\/([^/]+\/[^/]+)\/([^/]+)(?:\/([^/]+)\/([^/]+))?$/i;

/** Where a resource is seen, by its ID alone. */
export const lookPlaceOf = (ref: ResourceRef): LookPlace => {
  const alone: LookPlace = { key: ref.id.toLowerCase(), whole: ref };
  const [, providers, type = "", name = "", collection, part] = inGroup.exec(ref.id) ?? [];
  const listed = listedTypes.get(type.toLowerCase());
  if (listed === undefined) return alone;
  const path = `${providers}/${listed.type}`;
  const place = { key: path.toLowerCase(), listed: { path, apiVersion: listed.apiVersion } };
  if (collection === undefined || part === undefined) return { ...place, whole: ref };
  if (!shownParts.has(collection.toLowerCase())) return alone;
  return { ...place, whole: { ...listed, id: `${path}/${name}` }, part: { collection, name: part } };
};

/** A part of a resource, as that shows it. */
export const partIn = (
  whole: AzureResource,
  { collection, name }: NonNullable<LookPlace["part"]>,
): AzureResource | undefined => {
  const field = Object.keys(whole.properties ?? {}).find((key) => key.toLowerCase() === collection.toLowerCase());
  const parts = field === undefined ? undefined : whole.properties?.[field];
  const found = (Array.isArray(parts) ? parts : []).find(
    (each: unknown) => isJsonObject(each) && String(each["name"]).toLowerCase() === name.toLowerCase(),
  );
  return isJsonObject(found) && typeof found["id"] === "string" ? (found as unknown as AzureResource) : undefined;
};

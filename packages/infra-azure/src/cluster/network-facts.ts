import { isJsonObject } from "@capstan/schema";
import { AzureReason } from "../api/azure-conditions.ts";
import type { AzureResource } from "../cloud/azure-api.ts";
import type { ClusterPlace } from "./place.ts";
import { refs } from "./place.ts";
import type { Survey } from "./survey.ts";

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];

const propertiesIn = (value: unknown): Readonly<Record<string, unknown>> =>
  isJsonObject(value) && isJsonObject(value["properties"]) ? value["properties"] : {};

/** Address ranges of the subnets of a network, by name. */
const subnetRanges = (network: AzureResource): ReadonlyMap<string, readonly string[]> => {
  const subnets = network.properties?.["subnets"];
  const entries = (Array.isArray(subnets) ? subnets : []).flatMap((subnet: unknown) => {
    const name = isJsonObject(subnet) ? subnet["name"] : undefined;
    if (typeof name !== "string") return [];
    const { addressPrefix, addressPrefixes } = propertiesIn(subnet);
    const many = textsIn(addressPrefixes);
    return [[name.toLowerCase(), many.length > 0 ? many : textsIn([addressPrefix])] as const];
  });
  return new Map(entries);
};

/** Returns the problem with a network of another user, which has to have the subnets that the spec names; `undefined` if there is none. */
export const missingSubnets = (
  place: ClusterPlace,
  { foreignNetwork }: Survey,
): { readonly reason: string; readonly message: string } | undefined => {
  if (foreignNetwork === undefined) return undefined;
  const there = subnetRanges(foreignNetwork);
  const { subnets, vnet } = place.spec.networkSpec;
  const missing = subnets.find(({ name }) => !there.has(name.toLowerCase()));
  if (missing === undefined) return undefined;
  const message = `the virtual network ${vnet.name}, which the cluster does not own, has no subnet ${missing.name}; create it, or use another one in spec.networkSpec.subnets`;
  return { reason: AzureReason.subnetMissing, message };
};

/** Tags as they are at Azure; those that are gone there go here. */
const tagFacts = (known: Readonly<Record<string, string>>, tags: Readonly<Record<string, string>>) => ({
  ...Object.fromEntries(Object.keys(known).map((key) => [key, null])),
  ...tags,
});

/**
 * Returns the facts that upstream keeps in the spec: resource IDs, the tags of the network, and the address ranges of a network that others
 * made, together with all fields that are derived from names.
 */
export const specFacts = (place: ClusterPlace, { foreignNetwork, parts }: Survey) => {
  const { subnets, vnet } = place.spec.networkSpec;
  const { id } = refs.network(place);
  const network = foreignNetwork ?? parts.find(({ ref }) => ref.id === id)?.present;
  const ranges = foreignNetwork === undefined ? undefined : subnetRanges(foreignNetwork);
  const space = foreignNetwork?.properties?.["addressSpace"];
  const given = textsIn(isJsonObject(space) ? space["addressPrefixes"] : undefined);
  return {
    networkSpec: {
      vnet: {
        name: vnet.name,
        id,
        tags: tagFacts(vnet.tags ?? {}, network?.tags ?? {}),
        ...(given.length > 0 && { cidrBlocks: given }),
      },
      subnets: subnets.map((subnet) => ({
        ...subnet,
        id: refs.subnet(place, subnet.name).id,
        cidrBlocks: ranges?.get(subnet.name.toLowerCase()) ?? subnet.cidrBlocks,
      })),
    },
  };
};

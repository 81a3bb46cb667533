import { presentFields } from "@capstan/kube-values";
import { isJsonObject } from "@capstan/schema";
import { childRef, resourceRef, resourceTypes, sameId } from "../arm/resource-id.ts";
import type { ResourceRef } from "../arm/resource-id.ts";
import type { DefaultedCluster } from "./cluster-defaults.ts";
import type { Part } from "./part.ts";
import type { ClusterPlace } from "./place.ts";
import { refs } from "./place.ts";

type Peering = NonNullable<DefaultedCluster["networkSpec"]["vnet"]["peerings"]>[number];

/** The other network of a peering. */
export const remoteNetwork = (
  { subscription }: ClusterPlace,
  { remoteVnetName, resourceGroup }: Peering,
): ResourceRef => resourceRef({ subscription, group: resourceGroup }, resourceTypes.virtualNetwork, remoteVnetName);

const sideOf = (
  [from, fromName]: readonly [ResourceRef, string],
  [to, toName]: readonly [ResourceRef, string],
  given: Peering["forwardPeeringProperties"] = {},
): Part => {
  const wanted = presentFields(given);
  return {
    service: "VnetPeering",
    ref: childRef(from, "virtualNetworkPeerings", `${fromName}-To-${toName}`),
    tags: undefined,
    body: (present) => ({ properties: { ...present?.properties, ...wanted, remoteVirtualNetwork: { id: to.id } } }),
    differs: ({ properties = {} }) => {
      const remote = properties["remoteVirtualNetwork"];
      const id = isJsonObject(remote) && typeof remote["id"] === "string" ? remote["id"] : undefined;
      return !sameId(id, to.id) || Object.entries(wanted).some(([key, value]) => properties[key] !== value);
    },
  };
};

/** Both sides of every peering of the cluster's network. */
export const peeringParts = (place: ClusterPlace): readonly Part[] => {
  const { name, peerings = [] } = place.spec.networkSpec.vnet;
  const own = [refs.network(place), name] as const;
  return peerings.flatMap((peering) => {
    const other = [remoteNetwork(place, peering), peering.remoteVnetName] as const;
    return [sideOf(own, other, peering.forwardPeeringProperties), sideOf(other, own, peering.reversePeeringProperties)];
  });
};

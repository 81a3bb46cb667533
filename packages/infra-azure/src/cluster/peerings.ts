import { presentFields } from "@capstan/kube-values";
import { isJsonObject } from "@capstan/schema";
import { childRef, resourceRef, resourceTypes, sameId } from "../arm/resource-id.ts";
import type { ResourceRef } from "../arm/resource-id.ts";
import type { AzureResource } from "../cloud/azure-api.ts";
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

const remoteOf = ({ properties }: AzureResource): string | undefined => {
  const remote = properties?.["remoteVirtualNetwork"];
  return isJsonObject(remote) && typeof remote["id"] === "string" ? remote["id"] : undefined;
};

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
    differs: (present) => {
      const { properties = {} } = present;
      return (
        !sameId(remoteOf(present), to.id) || Object.entries(wanted).some(([key, value]) => properties[key] !== value)
      );
    },
  };
};

/** Both sides of every peering of the cluster's network. */
export const peeringParts = (place: ClusterPlace): readonly Part[] => {
  const { name, peerings = [] } = place.spec.networkSpec.vnet;
  const own = [refs.network(place), name] as const;
  return peerings.flatMap((peering) => {
    const other = [remoteNetwork(place, peering), peering.remoteVnetName] as const;
    // Networks of one name in several groups have peerings of one name with the same remote network.
    const takenBy = (present: AzureResource): string | undefined => {
      const remote = remoteOf(present);
      return remote === undefined || sameId(remote, own[0].id) ? undefined : `the virtual network ${remote}`;
    };
    return [
      sideOf(own, other, peering.forwardPeeringProperties),
      { ...sideOf(other, own, peering.reversePeeringProperties), takenBy },
    ];
  });
};

import type { Part } from "./part.ts";
import type { ClusterPlace } from "./place.ts";
import { locationIn, refs } from "./place.ts";
import { resourceTags } from "./resource-tags.ts";

/** The bastion host, a way into the network for people. Its subnet and its address are among the others. */
export const bastionParts = (place: ClusterPlace): readonly Part[] => {
  const bastion = place.spec.bastionSpec?.azureBastion;
  if (bastion === undefined) return [];
  const { enableTunneling, name, publicIP, sku, subnet } = bastion;
  const tags = resourceTags(place.tags, { name, role: "Bastion" });
  return [
    {
      service: "BastionHost",
      ref: refs.bastionHost(place, name),
      tags,
      body: (present) => ({
        ...locationIn(place),
        tags: { ...present?.tags, ...tags },
        sku: { name: sku },
        properties: {
          ...(sku === "Standard" && { enableTunneling }),
          ipConfigurations: [
            {
              name: `${name}-bastionIP`,
              properties: {
                privateIPAllocationMethod: "Dynamic",
                subnet: { id: refs.subnet(place, subnet.name).id },
                publicIPAddress: { id: refs.publicIP(place, publicIP.name).id },
              },
            },
          ],
        },
      }),
    },
  ];
};

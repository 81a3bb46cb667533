import { presentFields } from "@capstan/kube-values";
import type { DefaultedSubnet } from "./subnet-defaults.ts";
import type { Part } from "./part.ts";
import type { ClusterPlace } from "./place.ts";
import { locationIn, refs } from "./place.ts";
import { resourceTags } from "./resource-tags.ts";

type Endpoint = NonNullable<DefaultedSubnet["privateEndpoints"]>[number];

const connectionsOf = ({ name: endpoint, privateLinkServiceConnections = [] }: Endpoint) =>
  privateLinkServiceConnections.map(({ groupIDs, name, privateLinkServiceID, requestMessage }, index) => ({
    name: name ?? `${endpoint}-${index + 1}`,
    properties: presentFields({ privateLinkServiceId: privateLinkServiceID, groupIds: groupIDs, requestMessage }),
  }));

const partOf = (place: ClusterPlace, subnet: DefaultedSubnet, endpoint: Endpoint): Part => {
  const { applicationSecurityGroups, customNetworkInterfaceName, location, manualApproval, name } = endpoint;
  const tags = resourceTags(place.tags, { name, role: "common" });
  const connections = connectionsOf(endpoint);
  const addresses = endpoint.privateIPAddresses ?? [];
  return {
    service: "PrivateEndpoints",
    ref: refs.privateEndpoint(place, name),
    tags,
    body: (present) => ({
      ...locationIn(place),
      ...(location !== undefined && location !== "" && { location }),
      tags: { ...present?.tags, ...tags },
      properties: presentFields({
        subnet: { id: refs.subnet(place, subnet.name).id },
        customNetworkInterfaceName,
        privateLinkServiceConnections: manualApproval === true ? undefined : connections,
        manualPrivateLinkServiceConnections: manualApproval === true ? connections : undefined,
        ipConfigurations:
          addresses.length === 0
            ? undefined
            : addresses.map((privateIPAddress, index) => ({
                name: `${name}-ipconfig-${index + 1}`,
                properties: { privateIPAddress },
              })),
        applicationSecurityGroups: applicationSecurityGroups?.map((id) => ({ id })),
      }),
    }),
  };
};

/** The private endpoints of all subnets. */
export const privateEndpointParts = (place: ClusterPlace): readonly Part[] =>
  place.spec.networkSpec.subnets.flatMap((subnet) =>
    (subnet.privateEndpoints ?? []).map((endpoint) => partOf(place, subnet, endpoint)),
  );

import { boolean, list, object, text } from "@capstan/simulation";
import { refusal } from "../arm/refusals.ts";
import { parseId, resourceId } from "../resource-id.ts";
import { resourceById } from "../resources/find.ts";
import type { Change, ResourceKind } from "../resources/resource-kind.ts";
import { extendedLocation, partOf, ref, refs, texts } from "../resources/shapes.ts";
import { readOnly } from "../resources/writable.ts";
import type { Json, StoredResource } from "../state.ts";
import type { World } from "../world.ts";
import { macOf, type NetworkInterface } from "./network-interfaces.ts";
import { networkKind, unlessReferred } from "./network-kind.ts";
import { withAddresses } from "./private-addresses.ts";

interface Connection {
  readonly name: string;
  readonly properties: { readonly privateLinkServiceId?: string; readonly groupIds?: readonly string[] };
}

interface PrivateEndpoint {
  readonly subnet?: { readonly id: string };
  readonly privateLinkServiceConnections?: readonly Connection[];
  readonly manualPrivateLinkServiceConnections?: readonly Connection[];
  readonly customNetworkInterfaceName?: string;
  readonly ipConfigurations?: readonly {
    readonly name: string;
    readonly properties: { readonly privateIPAddress?: string };
  }[];
  /** The card that is made with it. */
  readonly networkInterfaces?: readonly { readonly id: string }[];
}

const connections = list(
  partOf(
    object(
      {
        privateLinkServiceId: text({ min: 1 }),
        groupIds: texts,
        requestMessage: text({ max: 140 }),
        privateLinkServiceConnectionState: readOnly,
        provisioningState: readOnly,
      },
      ["privateLinkServiceId"],
    ),
  ),
);

const connectionsOf = ({
  privateLinkServiceConnections = [],
  manualPrivateLinkServiceConnections = [],
}: PrivateEndpoint) => [...privateLinkServiceConnections, ...manualPrivateLinkServiceConnections];

const check = ({ resource }: Change<PrivateEndpoint>): void => {
  const { subnet } = resource.properties;
  const wanted = connectionsOf(resource.properties);
  if (subnet === undefined) {
    throw refusal(400, "InvalidRequestFormat", `Private endpoint ${resource.id} must refer to a subnet.`, "subnet");
  }
  if (wanted.length !== 1) {
    throw refusal(
      400,
      "PrivateEndpointMustHaveOneConnection",
      `Private endpoint ${resource.id} must have one connection to a private link service, not ${wanted.length}.`,
      "privateLinkServiceConnections",
    );
  }
  const bad = wanted.find(({ properties }) => parseId(properties.privateLinkServiceId ?? "") === undefined);
  if (bad === undefined) return;
  throw refusal(
    400,
    "LinkedInvalidPropertyId",
    `Property id '${bad.properties.privateLinkServiceId ?? ""}' at path 'properties.privateLinkServiceConnections[0].properties.privateLinkServiceId' is invalid.`,
    "privateLinkServiceId",
  );
};

/** The card of a new endpoint, with its addresses in the subnet. */
const makeCard = (endpoint: StoredResource<PrivateEndpoint>, world: World): StoredResource => {
  const { subnet, customNetworkInterfaceName, ipConfigurations = [] } = endpoint.properties;
  const name = customNetworkInterfaceName ?? `${endpoint.name}.nic.${endpoint.guid}`;
  const id = resourceId(world.subscriptionId, endpoint.group, "Microsoft.Network/networkInterfaces", [name]);
  const fixed = ipConfigurations.map(({ name: part, properties: { privateIPAddress } }, index) => ({
    name: part,
    properties: { primary: index === 0, privateIPAllocationMethod: "Static", privateIPAddress, subnet },
  }));
  const dynamic = [
    { name: "privateEndpointIpConfig", properties: { primary: true, privateIPAllocationMethod: "Dynamic", subnet } },
  ];
  const wanted = (fixed.length > 0 ? fixed : dynamic) as unknown as NonNullable<NetworkInterface["ipConfigurations"]>;
  return {
    id,
    type: "Microsoft.Network/networkInterfaces",
    name,
    group: endpoint.group,
    location: endpoint.location,
    guid: world.newUuid(),
    created: world.clock.now(),
    tags: undefined,
    revision: 1,
    state: "Succeeded",
    outer: {},
    properties: { ipConfigurations: withAddresses(id, wanted, [], world), macAddress: macOf(world) },
  };
};

/** Sets the state of connections. Connections with manual approval wait for the owner of the target. */
const withStates = (wanted: readonly Connection[] | undefined, status: string): Json =>
  wanted === undefined
    ? {}
    : {
        [status === "Approved" ? "privateLinkServiceConnections" : "manualPrivateLinkServiceConnections"]: wanted.map(
          (each) => ({
            ...each,
            properties: {
              ...each.properties,
              privateLinkServiceConnectionState: {
                status,
                description: status === "Approved" ? "Auto-Approved" : "Awaiting Approval",
                actionsRequired: "None",
              },
            },
          }),
        ),
      };

/** Private endpoints: each has a card in its subnet. The services that they lead to are not there. */
export const privateEndpoints: ResourceKind<PrivateEndpoint> = {
  ...networkKind,
  type: "Microsoft.Network/privateEndpoints",
  outer: { extendedLocation },
  properties: object({
    subnet: ref,
    privateLinkServiceConnections: connections,
    manualPrivateLinkServiceConnections: connections,
    customNetworkInterfaceName: text({ min: 1, max: 80 }),
    applicationSecurityGroups: refs,
    ipConfigurations: list(
      partOf(
        object({ groupId: text(), memberName: text(), privateIPAddress: text(), provisioningState: readOnly }, [
          "privateIPAddress",
        ]),
      ),
    ),
    ipVersionType: text({ enum: ["IPv4", "IPv6", "DualStack"] }),
    isIPv6EnabledPrivateEndpoint: boolean,
    networkInterfaces: readOnly,
    customDnsConfigs: readOnly,
    resourceGuid: readOnly,
    provisioningState: readOnly,
  }),
  prepare: (change, world) => {
    check(change);
    const { resource, before } = change;
    const { networkInterfaces } = before?.properties ?? {};
    if (networkInterfaces !== undefined) {
      resource.properties = { ...resource.properties, networkInterfaces };
      return;
    }
    const card = makeCard(resource, world);
    if (resourceById(card.id, world) !== undefined) {
      throw refusal(
        409,
        "NetworkInterfaceNameInUse",
        `The network interface ${card.id} exists already.`,
        "customNetworkInterfaceName",
      );
    }
    resource.properties = { ...resource.properties, networkInterfaces: [{ id: card.id }] };
    world.state.resources = [...world.state.resources, card];
  },
  derived: ({ properties }) => ({
    ...withStates(properties.privateLinkServiceConnections, "Approved"),
    ...withStates(properties.manualPrivateLinkServiceConnections, "Pending"),
    customDnsConfigs: [],
  }),
  removed: ({ properties: { networkInterfaces = [] } }, world) => {
    for (const { id } of networkInterfaces) {
      const card = resourceById(id, world);
      if (card !== undefined) world.remove(card);
    }
  },
};

/** Groups of network cards that rules of security groups name. */
export const applicationSecurityGroups: ResourceKind = {
  ...networkKind,
  type: "Microsoft.Network/applicationSecurityGroups",
  properties: object({ resourceGuid: readOnly, provisioningState: readOnly }),
  blocker: unlessReferred("InUseApplicationSecurityGroupCannotBeDeleted", "Application security group"),
};

import { boolean, list, object, text } from "@capstan/simulation";
import { refusal } from "../arm/refusals.ts";
import { resourceById } from "../resources/find.ts";
import { type Reference, referrers } from "../resources/references.ts";
import type { ResourceKind } from "../resources/resource-kind.ts";
import { extendedLocation, partOf, ref, refs, texts } from "../resources/shapes.ts";
import { readOnly } from "../resources/writable.ts";
import type { StoredResource } from "../state.ts";
import type { World } from "../world.ts";
import { checkPublicIps, networkKind } from "./network-kind.ts";
import { type Addressed, withAddresses } from "./private-addresses.ts";

interface Id {
  readonly id: string;
}

/** One configuration of a network card. */
export interface IpConfiguration extends Addressed {
  readonly properties: Addressed["properties"] & {
    readonly primary?: boolean;
    readonly publicIPAddress?: Id;
    readonly loadBalancerBackendAddressPools?: readonly Id[];
    readonly loadBalancerInboundNatRules?: readonly Id[];
  };
}

/** The part of a network card that is looked at here. */
export interface NetworkInterface {
  readonly ipConfigurations?: readonly IpConfiguration[];
  readonly macAddress?: string;
  readonly dnsSettings?: object;
  /** A machine that could not be made keeps it until then, in milliseconds since the epoch. */
  readonly reserved?: { readonly for: string; readonly until: number };
}

const ipConfiguration = partOf(
  object({
    privateIPAddress: text(),
    privateIPAddressPrefixLength: readOnly,
    privateIPAllocationMethod: text({ enum: ["Static", "Dynamic"] }),
    privateIPAddressVersion: text({ enum: ["IPv4", "IPv6"] }),
    primary: boolean,
    subnet: ref,
    publicIPAddress: ref,
    loadBalancerBackendAddressPools: refs,
    loadBalancerInboundNatRules: refs,
    applicationGatewayBackendAddressPools: refs,
    applicationSecurityGroups: refs,
    gatewayLoadBalancer: ref,
    virtualNetworkTaps: refs,
    privateLinkConnectionProperties: readOnly,
    provisioningState: readOnly,
  }),
);

/** The instance of a scale set that a network card is a part of. */
const instanceOf = (card: string): string => card.replace(/\/networkInterfaces\/[^/]+$/i, "");

/** The machine that a network card is in. */
export const machineOf = (nic: Id, world: Pick<World, "state">): StoredResource | undefined =>
  resourceById(instanceOf(nic.id), world) ??
  referrers(nic.id, world).find(({ resource }) => /\/virtualMachines$/i.test(resource.type))?.resource;

/** The network cards that name something, such as a pool or a subnet; models of scale sets are none. */
export const cardsIn = (id: string, world: Pick<World, "state">): readonly Reference[] =>
  referrers(id, world).filter(({ resource }) => /\/networkInterfaces$/i.test(resource.type));

/** Why a network card that a failed machine keeps is not to be had. */
export const reservation = ({ id, properties }: StoredResource<NetworkInterface>, user: string, { clock }: World) => {
  const { reserved } = properties;
  if (reserved === undefined || reserved.until <= clock.now() || reserved.for.toLowerCase() === user.toLowerCase()) {
    return undefined;
  }
  return refusal(
    400,
    "NicReservedForAnotherVm",
    `Nic(s) in request is reserved for another Virtual Machine for 180 seconds. Please provide another nic(s) or retry after 180 seconds. Reserved VM: ${reserved.for}, Nic: ${id}.`,
  );
};

/** Why the network card of a private endpoint goes only with that. */
const endpointOf = ({ id }: StoredResource<NetworkInterface>, world: World) => {
  const endpoint = referrers(id, world).find(({ resource }) => /\/privateEndpoints$/i.test(resource.type))?.resource;
  if (endpoint === undefined) return undefined;
  return refusal(
    400,
    "NetworkInterfaceInUseByPrivateEndpoint",
    `Network interface ${id} is used by private endpoint ${endpoint.id} and goes with that.`,
  );
};

const withPrimary = (configurations: readonly IpConfiguration[], id: string): readonly IpConfiguration[] => {
  if (configurations.length === 0) {
    throw refusal(
      400,
      "NetworkInterfaceMustHaveAtLeastOneIpConfiguration",
      `Network interface ${id} must have at least one ip configuration.`,
    );
  }
  const primaries = configurations.filter(({ properties }) => properties.primary === true).length;
  if (configurations.length > 1 && primaries !== 1) {
    throw refusal(
      400,
      "NetworkInterfaceMustHaveOnePrimaryIpConfiguration",
      `Network interface ${id} must have one primary ip configuration, not ${primaries}.`,
    );
  }
  return configurations.map((each) => ({
    ...each,
    properties: { primary: configurations.length === 1, ...each.properties },
  }));
};

/** Network cards. They are made at once. */
export const networkInterfaces: ResourceKind<NetworkInterface> = {
  ...networkKind,
  put: { created: 201, updated: 200, state: "Succeeded" },
  type: "Microsoft.Network/networkInterfaces",
  outer: { extendedLocation },
  properties: object(
    {
      ipConfigurations: list(ipConfiguration),
      networkSecurityGroup: ref,
      dnsSettings: object({
        dnsServers: texts,
        internalDnsNameLabel: text(),
        appliedDnsServers: readOnly,
        internalFqdn: readOnly,
        internalDomainNameSuffix: readOnly,
      }),
      enableAcceleratedNetworking: boolean,
      enableIPForwarding: boolean,
      disableTcpStateTracking: boolean,
      auxiliaryMode: text(),
      auxiliarySku: text(),
      nicType: text(),
      workloadType: text(),
      macAddress: readOnly,
      primary: readOnly,
      virtualMachine: readOnly,
      hostedWorkloads: readOnly,
      tapConfigurations: readOnly,
      vnetEncryptionSupported: readOnly,
      defaultOutboundConnectivityEnabled: readOnly,
      migrationPhase: readOnly,
      resourceGuid: readOnly,
      provisioningState: readOnly,
    },
    ["ipConfigurations"],
  ),
  prepare: ({ resource, before }, world) => {
    const { ipConfigurations = [] } = resource.properties;
    const configured = withPrimary(ipConfigurations, resource.id);
    const missing = configured.find(({ properties }) => properties.subnet === undefined);
    if (missing !== undefined) {
      throw refusal(
        400,
        "InvalidRequestFormat",
        `ip configuration ${missing.name} of ${resource.id} must refer to a subnet.`,
        "subnet",
      );
    }
    const { properties: had } = before ?? {};
    resource.properties = {
      ...resource.properties,
      ipConfigurations: withAddresses(resource.id, configured, had?.ipConfigurations ?? [], world),
      macAddress: had?.macAddress ?? macOf(world),
      ...(had?.reserved === undefined ? {} : { reserved: had.reserved }),
    };
    checkPublicIps(
      resource,
      configured.flatMap(({ properties }) => properties.publicIPAddress?.id ?? []),
      world,
    );
  },
  derived: ({ id, guid, properties }, world) => {
    const machine = machineOf({ id }, world);
    const { ipConfigurations: _, ...own } = properties;
    return {
      enableAcceleratedNetworking: false,
      enableIPForwarding: false,
      nicType: "Standard",
      ...own,
      dnsSettings: {
        dnsServers: [],
        ...properties.dnsSettings,
        appliedDnsServers: [],
        internalDomainNameSuffix: `${guid.replaceAll("-", "").slice(0, 26)}.bx.internal.cloudapp.net`,
      },
      hostedWorkloads: [],
      tapConfigurations: [],
      reserved: undefined,
      primary: machine !== undefined,
      ...(machine === undefined ? {} : { virtualMachine: { id: machine.id } }),
    };
  },
  blocker: (resource, world) => {
    const machine = machineOf(resource, world);
    if (machine === undefined) return endpointOf(resource, world) ?? reservation(resource, "", world);
    return refusal(
      400,
      "NicInUse",
      `Network Interface ${resource.id} is used by existing resource ${machine.id}. In order to delete the network interface, it must be dissociated from the resource. To learn more, see aka.ms/deletenic.`,
    );
  },
};

/** An address of a network card. */
export const macOf = ({ random }: World): string =>
  `00-0D-3A-${[...random.bytes(3)].map((byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join("-")}`;

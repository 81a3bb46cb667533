/** A kind of resource at Azure. */
export interface ResourceType {
  /** Namespace and type, for example `Microsoft.Network/virtualNetworks`. */
  readonly type: string;
  readonly apiVersion: string;
}

const network = (type: string): ResourceType => ({ type: `Microsoft.Network/${type}`, apiVersion: "2024-05-01" });
const compute = (type: string): ResourceType => ({ type: `Microsoft.Compute/${type}`, apiVersion: "2024-07-01" });

/** The kinds of resources that are worked with, each in the version of its API that bodies are written for. */
export const resourceTypes = {
  virtualNetwork: network("virtualNetworks"),
  securityGroup: network("networkSecurityGroups"),
  routeTable: network("routeTables"),
  publicIP: network("publicIPAddresses"),
  natGateway: network("natGateways"),
  loadBalancer: network("loadBalancers"),
  networkInterface: network("networkInterfaces"),
  bastionHost: network("bastionHosts"),
  privateEndpoint: network("privateEndpoints"),
  privateZone: { type: "Microsoft.Network/privateDnsZones", apiVersion: "2024-06-01" },
  virtualMachine: compute("virtualMachines"),
  availabilitySet: compute("availabilitySets"),
  scaleSet: compute("virtualMachineScaleSets"),
  scaleSetMachine: compute("virtualMachineScaleSets/virtualMachines"),
  scaleSetInterface: {
    type: "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/networkInterfaces",
    apiVersion: "2018-10-01",
  },
  disk: { type: "Microsoft.Compute/disks", apiVersion: "2024-03-02" },
  managedIdentity: { type: "Microsoft.ManagedIdentity/userAssignedIdentities", apiVersion: "2023-01-31" },
} as const satisfies Readonly<Record<string, ResourceType>>;

/** Names a resource. */
export interface ResourceRef extends ResourceType {
  /** Resource ID, which is also its path. */
  readonly id: string;
}

/** The path of a resource group. */
export const groupId = (subscription: string, group: string): string =>
  `/subscriptions/${subscription}/resourceGroups/${group}`;

/** A resource of a group. */
export const resourceRef = (
  { subscription, group }: { readonly subscription: string; readonly group: string },
  type: ResourceType,
  name: string,
): ResourceRef => ({ ...type, id: `${groupId(subscription, group)}/providers/${type.type}/${name}` });

/** A resource that is part of another one, for example a subnet. */
export const childRef = (parent: ResourceRef, type: string, name: string): ResourceRef => ({
  type: `${parent.type}/${type}`,
  apiVersion: parent.apiVersion,
  id: `${parent.id}/${type}/${name}`,
});

/** The resource ID in a provider ID, which has `azure://` before it. */
export const resourceIdOf = (providerID: string): string => providerID.replace(/^azure:\/\//, "");

/** An identity of the user's own, by its resource ID with or without `azure://`. */
export const managedIdentityRef = (providerID: string): ResourceRef => ({
  ...resourceTypes.managedIdentity,
  id: resourceIdOf(providerID),
});

/** The scale set that a machine, or a part of one, is in by its resource ID; machines of Flexible sets stand alone. */
export const scaleSetIdOf = (id: string): string | undefined =>
  /^(.*\/virtualMachineScaleSets\/[^/]+)\//i.exec(id)?.[1];

/** A virtual machine by its resource ID: one that stands alone, or one in a scale set. */
export const virtualMachineRef = (id: string): ResourceRef => ({
  ...(scaleSetIdOf(id) === undefined ? resourceTypes.virtualMachine : resourceTypes.scaleSetMachine),
  id,
});

/** A network interface by its resource ID. Those in a scale set are part of it, and served by another provider. */
export const interfaceRef = (id: string): ResourceRef => ({
  ...(scaleSetIdOf(id) === undefined ? resourceTypes.networkInterface : resourceTypes.scaleSetInterface),
  id,
});

/** Azure answers with other letter cases than it was asked with. */
export const sameId = (left: string | undefined, right: string | undefined): boolean =>
  left !== undefined && right !== undefined && left.toLowerCase() === right.toLowerCase();

/** Returns whether a resource is what an ID names, or is in it or a part of it. */
export const isWithin = (id: string, outer: string): boolean =>
  `${id.toLowerCase()}/`.startsWith(`${outer.toLowerCase()}/`);

/** The last part of a resource ID. */
export const nameOfId = (id: string): string => id.split("/").at(-1) ?? "";

const words = (name: string): string =>
  name
    .replace(/sses$/, "ss")
    .replace(/(?<!s)s$/, "")
    .replaceAll(/([a-z])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$2 ")
    .split(" ")
    .map((word) => (/^(?:ip|nat|dns)$/i.test(word) ? word.toUpperCase() : word.toLowerCase()))
    .join(" ");

/** Returns the plain name of a resource type: `public IP address`. */
export const typeText = (type: string): string => words(type.split("/").at(-1) ?? type);

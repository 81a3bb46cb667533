import { presentFields } from "@capstan/kube-values";
import { isJsonObject, sameJson } from "@capstan/schema";
import { sameId } from "../arm/resource-id.ts";
import type { AzureResource, ResourceBody } from "../cloud/azure-api.ts";
import type { ClusterPlace } from "./place.ts";
import { locationIn, refs } from "./place.ts";
import { resourceTags } from "./resource-tags.ts";
import type { DefaultedSubnet } from "./subnet-defaults.ts";

type Json = Readonly<Record<string, unknown>>;
type Rule = NonNullable<DefaultedSubnet["securityGroup"]["securityRules"]>[number];

const propertiesOf = (resource: AzureResource | undefined): Json => resource?.properties ?? {};
const listIn = (properties: Json, name: string): readonly Json[] => {
  const value = properties[name];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
};

/** The id that a property refers to. */
const idIn = (properties: Json, name: string): string | undefined => {
  const value = properties[name];
  return isJsonObject(value) && typeof value["id"] === "string" ? value["id"] : undefined;
};

/** The body of a resource group. */
export const groupBody = ({ spec, tags }: ClusterPlace, name: string): ResourceBody => ({
  location: spec.location,
  tags: resourceTags(tags, { name, role: "common" }),
});

/** The virtual network, with its subnets and all else as they are. */
export const networkBody = (place: ClusterPlace, present: AzureResource | undefined): ResourceBody => {
  const { cidrBlocks, name } = place.spec.networkSpec.vnet;
  return {
    ...locationIn(place),
    tags: { ...present?.tags, ...resourceTags(place.tags, { name, role: "common" }) },
    properties: { ...propertiesOf(present), addressSpace: { addressPrefixes: cidrBlocks } },
  };
};

export const networkDiffers = ({ spec }: ClusterPlace, present: AzureResource): boolean => {
  const space = propertiesOf(present)["addressSpace"];
  return !sameJson(isJsonObject(space) ? space["addressPrefixes"] : undefined, spec.networkSpec.vnet.cidrBlocks);
};

const apiRules = (apiPort: number): readonly Rule[] =>
  [
    { name: "allow_ssh", description: "Allow SSH", priority: 2200, destinationPorts: "22" },
    { name: "allow_apiserver", description: "Allow K8s API Server", priority: 2201, destinationPorts: String(apiPort) },
  ].map((rule) => ({
    ...rule,
    protocol: "Tcp",
    direction: "Inbound",
    source: "*",
    sourcePorts: "*",
    destination: "*",
    action: "Allow",
  }));

/** The rules that a subnet's security group shall have: those of the spec, and without which a control plane cannot be reached. */
const rulesOf = (place: ClusterPlace, subnet: DefaultedSubnet): readonly Rule[] => {
  const given = subnet.securityGroup.securityRules ?? [];
  const { controlPlaneEnabled, networkSpec } = place.spec;
  const isOwnRole = subnet.role === "control-plane";
  const isShared = subnet.role === "cluster" && networkSpec.subnets.every(({ role }) => role !== "control-plane");
  if (!controlPlaneEnabled || !(isOwnRole || isShared)) return given;
  const ports = new Set(given.map(({ destinationPorts }) => destinationPorts));
  return [...given, ...apiRules(place.apiPort).filter(({ destinationPorts }) => !ports.has(destinationPorts))];
};

const ruleBody = (rule: Rule): Json => ({
  name: rule.name,
  properties: presentFields({
    description: rule.description,
    protocol: rule.protocol,
    direction: rule.direction,
    access: rule.action,
    priority: rule.priority,
    sourcePortRange: rule.sourcePorts ?? "*",
    destinationPortRange: rule.destinationPorts ?? "*",
    sourceAddressPrefix: rule.sources === undefined ? (rule.source ?? "*") : undefined,
    sourceAddressPrefixes: rule.sources,
    destinationAddressPrefix: rule.destination ?? "*",
  }),
});

const presentRules = (present: AzureResource | undefined): readonly Json[] =>
  listIn(propertiesOf(present), "securityRules");

/** The names of rules that were ours, and that the spec no longer has. */
const goneRules = (place: ClusterPlace, name: string): ReadonlySet<unknown> => {
  const gone = new Set(Object.keys(place.lastApplied.rules[name] ?? {}));
  for (const rule of groupRules(place, name)) gone.delete(rule.name);
  return gone;
};

/** The rules of all subnets that share a security group. */
export const groupRules = (place: ClusterPlace, name: string): readonly Rule[] => {
  const rules = place.spec.networkSpec.subnets
    .filter(({ securityGroup }) => securityGroup.name === name)
    .flatMap((subnet) => rulesOf(place, subnet));
  return [...new Map(rules.map((rule) => [rule.name, rule])).values()];
};

/** A rule is as it should be when Azure has all that is said of it. */
const hasRule = (present: readonly Json[], wanted: Json): boolean =>
  present.some(({ name, properties }) => {
    if (name !== wanted["name"] || !isJsonObject(properties)) return false;
    return Object.entries(wanted["properties"] as Json).every(([key, value]) => sameJson(properties[key], value));
  });

/** The security group with the rules of the spec, and without those that it had before; rules of others stay. */
export const securityGroupBody = (
  place: ClusterPlace,
  name: string,
  present: AzureResource | undefined,
): ResourceBody => {
  const wanted = groupRules(place, name).map(ruleBody);
  const gone = goneRules(place, name);
  const others = presentRules(present).filter(
    (rule) => !gone.has(rule["name"]) && wanted.every((own) => own["name"] !== rule["name"]),
  );
  return {
    location: place.spec.location,
    tags: { ...present?.tags, ...resourceTags(place.tags, { name, role: "common" }) },
    properties: { ...propertiesOf(present), securityRules: [...others, ...wanted] },
  };
};

export const securityGroupDiffers = (place: ClusterPlace, name: string, present: AzureResource): boolean => {
  const found = presentRules(present);
  const gone = goneRules(place, name);
  const isWhole = groupRules(place, name).every((rule) => hasRule(found, ruleBody(rule)));
  return !isWhole || found.some((rule) => gone.has(rule["name"]));
};

/** A route table, which the cloud provider in the cluster fills. */
export const routeTableBody = ({ spec, tags }: ClusterPlace, name: string): ResourceBody => ({
  location: spec.location,
  tags: resourceTags(tags, { name, role: "common" }),
  properties: {},
});

/** A NAT gateway with its address. */
export const natGatewayBody = (
  place: ClusterPlace,
  { ip, name, zones }: NonNullable<DefaultedSubnet["natGateway"]>,
): ResourceBody => ({
  location: place.spec.location,
  tags: resourceTags(place.tags, { name, role: "common" }),
  sku: { name: "Standard" },
  ...(zones !== undefined && zones.length > 0 && { zones }),
  properties: { publicIpAddresses: [{ id: refs.publicIP(place, ip.name).id }] },
});

const reference = (id: string | undefined): { readonly id: string } | undefined =>
  id === undefined ? undefined : { id };

const subnetLinks = (place: ClusterPlace, subnet: DefaultedSubnet) => ({
  networkSecurityGroup: reference(
    subnet.securityGroup.name === "" ? undefined : refs.securityGroup(place, subnet.securityGroup.name).id,
  ),
  routeTable: reference(subnet.routeTable && refs.routeTable(place, subnet.routeTable.name).id),
  natGateway: reference(subnet.natGateway && refs.natGateway(place, subnet.natGateway.name).id),
});

/** A subnet with what it is linked to; all else stays. */
export const subnetBody = (
  place: ClusterPlace,
  subnet: DefaultedSubnet,
  present: AzureResource | undefined,
): ResourceBody => {
  const { addressPrefix: _one, addressPrefixes: _many, ...properties } = propertiesOf(present);
  const [only, ...more] = subnet.cidrBlocks;
  return {
    properties: {
      ...properties,
      ...(more.length === 0 ? { addressPrefix: only } : { addressPrefixes: subnet.cidrBlocks }),
      ...presentFields(subnetLinks(place, subnet)),
      ...(subnet.serviceEndpoints !== undefined && { serviceEndpoints: subnet.serviceEndpoints }),
    },
  };
};

const lacksEndpoint = (subnet: DefaultedSubnet, present: AzureResource): boolean => {
  const found = listIn(propertiesOf(present), "serviceEndpoints").map(({ service }) => service);
  return (subnet.serviceEndpoints ?? []).some(({ service }) => !found.includes(service));
};

/** Links are put right. Address ranges are not: what is in them would lose its addresses. */
export const subnetDiffers = (place: ClusterPlace, subnet: DefaultedSubnet, present: AzureResource): boolean =>
  lacksEndpoint(subnet, present) ||
  Object.entries(subnetLinks(place, subnet)).some(
    ([name, wanted]) => wanted !== undefined && !sameId(idIn(propertiesOf(present), name), wanted.id),
  );

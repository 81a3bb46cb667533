import { integer, list, object, text } from "@capstan/simulation";
import { refusal } from "../arm/refusals.ts";
import { same } from "../resource-id.ts";
import { referrers } from "../resources/references.ts";
import type { Change, ResourceKind } from "../resources/resource-kind.ts";
import { extendedLocation, ref, skuOf, zones } from "../resources/shapes.ts";
import { readOnly } from "../resources/writable.ts";
import type { StoredResource } from "../state.ts";
import type { World } from "../world.ts";
import { checkZones, networkKind, unlessReferred } from "./network-kind.ts";

/** The part of a public IP address that is looked at here. */
export interface PublicIp {
  readonly publicIPAllocationMethod?: string;
  readonly publicIPAddressVersion?: string;
  readonly idleTimeoutInMinutes?: number;
  readonly ipTags?: readonly object[];
  readonly dnsSettings?: { readonly domainNameLabel?: string };
  /** Address that the cloud assigned: a loopback address of its own for IPv4, a documentation address for IPv6. */
  readonly ipAddress?: string;
}

const labels = /^[a-z][a-z0-9-]{1,61}[a-z0-9]$/;

const checkLabel = ({ resource }: Change<PublicIp>, { state }: World): void => {
  const label = resource.properties.dnsSettings?.domainNameLabel;
  if (label === undefined) return;
  if (!labels.test(label)) {
    throw refusal(
      400,
      "InvalidDomainNameLabel",
      `The domain name label ${label} is invalid. It must conform to the following regular expression: ${labels.source}.`,
    );
  }
  const taken = state.resources.some(
    (other) =>
      other.type === resource.type &&
      other.id !== resource.id &&
      other.location === resource.location &&
      same((other.properties as PublicIp).dnsSettings?.domainNameLabel ?? "", label),
  );
  if (taken) {
    throw refusal(
      400,
      "DnsRecordInUse",
      `DNS record ${label}.${resource.location}.cloudapp.azure.com is already used by another public IP.`,
    );
  }
};

const ofVersion6 = ({ publicIPAddressVersion }: PublicIp): boolean => publicIPAddressVersion === "IPv6";

/**
 * The name of an address. Names below azure.com do not lead to this computer, so by default it is the address itself, which every client
 * can reach and for which certificates are made as for a name.
 */
const nameOf = ({ properties, location }: StoredResource<PublicIp>, { dnsNames }: World) => {
  const { dnsSettings, ipAddress } = properties;
  const label = dnsSettings?.domainNameLabel;
  if (label === undefined || ipAddress === undefined) return {};
  const fqdn = dnsNames === "azure" || ofVersion6(properties) ? `${label}.${location}.cloudapp.azure.com` : ipAddress;
  return { dnsSettings: { ...dnsSettings, fqdn } };
};

/** Public IP addresses: loopback addresses, at which load balancers and machines listen. */
export const publicIps: ResourceKind<PublicIp> = {
  ...networkKind,
  type: "Microsoft.Network/publicIPAddresses",
  outer: { sku: skuOf(["Basic", "Standard", "StandardV2"]), zones, extendedLocation },
  properties: object({
    publicIPAllocationMethod: text({ enum: ["Static", "Dynamic"] }),
    publicIPAddressVersion: text({ enum: ["IPv4", "IPv6"] }),
    dnsSettings: object({
      domainNameLabel: text(),
      domainNameLabelScope: text(),
      reverseFqdn: text(),
      fqdn: readOnly,
    }),
    idleTimeoutInMinutes: { ...integer, min: 4, max: 30 },
    ipTags: list(object({ ipTagType: text(), tag: text() })),
    publicIPPrefix: ref,
    deleteOption: text({ enum: ["Delete", "Detach"] }),
    ddosSettings: object({ protectionMode: text(), ddosProtectionPlan: ref }),
    ipAddress: readOnly,
    ipConfiguration: readOnly,
    natGateway: readOnly,
    migrationPhase: readOnly,
    resourceGuid: readOnly,
    provisioningState: readOnly,
  }),
  prepare: (change, world) => {
    const { resource, before } = change;
    const { sku = { name: "Basic" } } = resource.outer as { sku?: { readonly name: string } };
    const { publicIPAllocationMethod = "Dynamic" } = resource.properties;
    if (sku.name !== "Basic" && publicIPAllocationMethod !== "Static") {
      throw refusal(
        400,
        "PublicIPAddressAllocationMethodInvalid",
        `Standard sku publicIp ${resource.id} must have AllocationMethod set to Static.`,
      );
    }
    checkZones(resource.outer["zones"], resource.location);
    checkLabel(change, world);
    const ipAddress =
      before?.properties.ipAddress ??
      (ofVersion6(resource.properties) ? `2001:db8::${world.newId().toString(16)}` : world.newAddress());
    resource.outer = { ...resource.outer, sku: { tier: "Regional", ...sku } };
    resource.properties = {
      publicIPAddressVersion: "IPv4",
      idleTimeoutInMinutes: 4,
      ipTags: [],
      ...resource.properties,
      publicIPAllocationMethod,
      ipAddress,
    };
  },
  derived: (resource, world) => {
    const [user] = referrers(resource.id, world);
    const gateway = user?.from.includes("/natGateways/") === true;
    return {
      ...nameOf(resource, world),
      ...(user === undefined ? {} : { [gateway ? "natGateway" : "ipConfiguration"]: { id: user.from } }),
    };
  },
  blocker: unlessReferred("PublicIPAddressCannotBeDeleted", "Public IP address"),
};

import { boolean, integer, list, object, text } from "@capstan/simulation";
import { refusal } from "../arm/refusals.ts";
import { networkOf, same } from "../resource-id.ts";
import type { Change, ResourceKind } from "../resources/resource-kind.ts";
import { partOf, ref, zones } from "../resources/shapes.ts";
import { readOnly } from "../resources/writable.ts";
import type { Json, StoredResource } from "../state.ts";
import type { World } from "../world.ts";
import { checkPublicIps, checkZones, networkKind } from "./network-kind.ts";

interface Id {
  readonly id: string;
}

interface Bastion {
  readonly ipConfigurations?: readonly {
    readonly name: string;
    readonly properties: { readonly subnet?: Id; readonly publicIPAddress?: Id };
  }[];
  readonly enableTunneling?: boolean;
  readonly enableIpConnect?: boolean;
  readonly enableShareableLink?: boolean;
  readonly scaleUnits?: number;
}

const bastionType = "Microsoft.Network/bastionHosts";
const subnetName = "AzureBastionSubnet";

const subnetsOf = ({ properties }: Pick<StoredResource<Bastion>, "properties">): readonly string[] =>
  (properties.ipConfigurations ?? []).flatMap(({ properties: { subnet } }) => subnet?.id ?? []);

const checkPlace = ({ resource }: Change<Bastion>, { state }: World): void => {
  const [configuration, ...more] = resource.properties.ipConfigurations ?? [];
  if (configuration === undefined || more.length > 0) {
    throw refusal(
      400,
      "InvalidRequestFormat",
      `Bastion host ${resource.id} must have one IP configuration.`,
      "ipConfigurations",
    );
  }
  const { subnet, publicIPAddress } = configuration.properties;
  if (subnet === undefined || !same(subnet.id.split("/").at(-1) ?? "", subnetName)) {
    throw refusal(
      400,
      "BastionHostSubnetNameInvalid",
      `Bastion host ${resource.id} must be in a subnet with the name ${subnetName}.`,
      "subnet",
    );
  }
  if (publicIPAddress === undefined) {
    throw refusal(
      400,
      "BastionHostPublicIpRequired",
      `Bastion host ${resource.id} must refer to a public IP address.`,
      "publicIPAddress",
    );
  }
  const other = state.resources.find(
    (each) =>
      each.type === bastionType &&
      each.id !== resource.id &&
      subnetsOf(each as unknown as StoredResource<Bastion>).some((id) => same(networkOf(id), networkOf(subnet.id))),
  );
  if (other === undefined) return;
  throw refusal(
    400,
    "VirtualNetworkAlreadyHasBastionHost",
    `Virtual network ${networkOf(subnet.id)} has the bastion host ${other.id} already.`,
  );
};

/** Refuses features that the SKU Basic does not have. */
const checkSku = ({ resource: { id, properties, outer } }: Change<Bastion>): void => {
  const { name } = (outer["sku"] ?? { name: "Basic" }) as { readonly name: string };
  const wanted = (["enableTunneling", "enableIpConnect", "enableShareableLink"] as const).find(
    (feature) => properties[feature] === true,
  );
  if (name !== "Basic" || (wanted === undefined && (properties.scaleUnits ?? 2) <= 2)) return;
  throw refusal(
    400,
    "BastionFeatureNotSupportedForBasicSku",
    `Bastion host ${id}: ${wanted ?? "scaleUnits"} needs the SKU Standard.`,
    wanted ?? "scaleUnits",
  );
};

/** Bastion hosts: kept and checked, no one gets in by them. */
export const bastionHosts: ResourceKind<Bastion> = {
  ...networkKind,
  type: bastionType,
  outer: { sku: object({ name: text({ enum: ["Basic", "Standard", "Premium", "Developer"] }) }, ["name"]), zones },
  properties: object({
    ipConfigurations: list(
      partOf(
        object({
          subnet: ref,
          publicIPAddress: ref,
          privateIPAllocationMethod: text({ enum: ["Static", "Dynamic"] }),
          provisioningState: readOnly,
        }),
      ),
    ),
    scaleUnits: { ...integer, min: 2, max: 50 },
    enableTunneling: boolean,
    enableIpConnect: boolean,
    enableFileCopy: boolean,
    disableCopyPaste: boolean,
    enableShareableLink: boolean,
    enableKerberos: boolean,
    enableSessionRecording: boolean,
    enablePrivateOnlyBastion: boolean,
    networkAcls: readOnly,
    virtualNetwork: ref,
    dnsName: readOnly,
    resourceGuid: readOnly,
    provisioningState: readOnly,
  }),
  prepare: (change, world) => {
    const { resource } = change;
    checkZones(resource.outer["zones"], resource.location);
    checkPlace(change, world);
    checkSku(change);
    const ids = (resource.properties.ipConfigurations ?? []).flatMap(
      ({ properties }) => properties.publicIPAddress?.id ?? [],
    );
    checkPublicIps(resource, ids, world);
    resource.outer = { sku: { name: "Basic" }, ...resource.outer };
    resource.properties = { scaleUnits: 2, enableTunneling: false, ...resource.properties };
  },
  partExtras: (_id, { properties = {} }) => ({ privateIPAllocationMethod: "Dynamic", ...properties }),
  derived: ({ guid }): Json => ({ dnsName: `bst-${guid}.bastion.azure.com` }),
};

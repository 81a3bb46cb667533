import { integer, object } from "@capstan/simulation";
import { refusal } from "../arm/refusals.ts";
import { referrers } from "../resources/references.ts";
import type { ResourceKind } from "../resources/resource-kind.ts";
import { ref, refs, skuOf, zones } from "../resources/shapes.ts";
import { readOnly } from "../resources/writable.ts";
import type { Json } from "../state.ts";
import { checkPublicIps, checkZones, networkKind, unlessReferred } from "./network-kind.ts";

interface NatGateway {
  readonly publicIpAddresses?: readonly { readonly id: string }[];
}

/** NAT gateways: a way to the internet for the machines of their subnets. */
export const natGateways: ResourceKind<NatGateway> = {
  ...networkKind,
  type: "Microsoft.Network/natGateways",
  outer: { sku: skuOf(["Standard", "StandardV2"]), zones },
  properties: object({
    idleTimeoutInMinutes: { ...integer, min: 4, max: 120 },
    publicIpAddresses: refs,
    publicIpAddressesV6: refs,
    publicIpPrefixes: refs,
    publicIpPrefixesV6: refs,
    sourceVirtualNetwork: ref,
    type: readOnly,
    subnets: readOnly,
    resourceGuid: readOnly,
    provisioningState: readOnly,
  }),
  prepare: ({ resource }, world) => {
    if (resource.outer["sku"] === undefined) {
      throw refusal(400, "NatGatewaySkuRequired", `The sku of NAT gateway ${resource.id} is required.`, "sku");
    }
    resource.outer = { ...resource.outer, sku: { tier: "Regional", ...(resource.outer["sku"] as Json) } };
    const given = resource.outer["zones"];
    checkZones(given, resource.location);
    if (Array.isArray(given) && given.length > 1) {
      throw refusal(
        400,
        "NatGatewayCannotHaveMultipleZones",
        `NAT gateway ${resource.id} can be in one zone only.`,
        "zones",
      );
    }
    resource.properties = { idleTimeoutInMinutes: 4, ...resource.properties } as NatGateway;
    checkPublicIps(
      resource,
      (resource.properties.publicIpAddresses ?? []).map(({ id }) => id),
      world,
    );
  },
  derived: ({ id }, world) => {
    const subnets = referrers(id, world)
      .filter(({ from }) => from.includes("/subnets/"))
      .map(({ from }) => ({ id: from }));
    return { type: "Default", ...(subnets.length === 0 ? {} : { subnets }) };
  },
  blocker: unlessReferred("InUseNatGatewayCannotBeDeleted", "NAT gateway"),
};

import { boolean, list, object, text } from "@capstan/simulation";
import { refusal } from "../arm/refusals.ts";
import { referrers } from "../resources/references.ts";
import type { ResourceKind } from "../resources/resource-kind.ts";
import { partOf } from "../resources/shapes.ts";
import { readOnly } from "../resources/writable.ts";
import { networkKind, networkPart, unlessReferred } from "./network-kind.ts";

const routeProperties = object(
  {
    addressPrefix: text(),
    nextHopType: text({ enum: ["VirtualNetworkGateway", "VnetLocal", "Internet", "VirtualAppliance", "None"] }),
    nextHopIpAddress: text(),
    hasBgpOverride: readOnly,
    provisioningState: readOnly,
  },
  ["addressPrefix", "nextHopType"],
);

interface RouteTable {
  readonly routes?: readonly {
    readonly name: string;
    readonly properties: { readonly nextHopType: string; readonly nextHopIpAddress?: string };
  }[];
}

/** Route tables. */
export const routeTables: ResourceKind<RouteTable> = {
  ...networkKind,
  type: "Microsoft.Network/routeTables",
  properties: object({
    routes: list(partOf(routeProperties)),
    disableBgpRoutePropagation: boolean,
    subnets: readOnly,
    resourceGuid: readOnly,
    provisioningState: readOnly,
  }),
  parts: { routes: networkPart(routeProperties) },
  prepare: ({ resource }) => {
    const { routes = [] } = resource.properties;
    resource.properties = { disableBgpRoutePropagation: false, ...resource.properties, routes } as RouteTable;
    for (const { name, properties } of routes) {
      if ((properties.nextHopType === "VirtualAppliance") === (properties.nextHopIpAddress !== undefined)) continue;
      throw refusal(
        400,
        "InvalidRouteNextHop",
        `Route ${resource.id}/routes/${name}: nextHopIpAddress goes with the type VirtualAppliance, and only with it.`,
      );
    }
  },
  derived: ({ id }, world) => {
    const subnets = referrers(id, world).map(({ from }) => ({ id: from }));
    return subnets.length === 0 ? {} : { subnets };
  },
  blocker: unlessReferred("InUseRouteTableCannotBeDeleted", "Route table"),
};

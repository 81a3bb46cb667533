import type { Region, RegionVpcAvailability } from "@capstan/linode-client";
import { notFound, type Route } from "@capstan/simulation";
import { collection } from "../api/collection.ts";
import { named } from "../api/resource.ts";
import { route } from "../api/route.ts";
import { kernels, maintenancePolicies, regions, types } from "../seed.ts";
import type { World } from "../world.ts";

const catalogue = (
  path: string,
  items: readonly { readonly id: string }[],
  filterable: readonly string[],
  isPublic: boolean,
): readonly Route<World>[] => [
  collection({ path, filterable, isPublic, list: () => [...items] }),
  route({
    method: "GET",
    path: `${path}/:id`,
    isPublic,
    handle: ({ params }) => {
      const found = items.find(({ id }) => id === params.id);
      if (found === undefined) throw notFound();
      return found;
    },
  }),
];

const vpcAvailability = ({ id, capabilities }: Region): RegionVpcAvailability => {
  const available = capabilities.includes("VPCs");
  return { region: id, available, available_ipv6_prefix_lengths: available ? [52] : [] };
};

/** Routes of the API's offers, which are the same for every account. */
export const catalogueRoutes: readonly Route<World>[] = [
  collection({
    path: "regions/availability",
    filterable: ["region", "plan", "available"],
    isPublic: true,
    list: () => regions.flatMap(({ id }) => types.map((type) => ({ region: id, plan: type.id, available: true }))),
  }),
  collection({
    path: "regions/vpc-availability",
    filterable: ["region", "available"],
    isPublic: true,
    list: () => regions.map(vpcAvailability),
  }),
  route({
    method: "GET",
    path: "regions/:id/vpc-availability",
    isPublic: true,
    handle: (request) => vpcAvailability(named(regions, request, "id")),
  }),
  collection({ path: "maintenance/policies", filterable: ["slug", "type"], list: () => maintenancePolicies }),
  ...catalogue("regions", regions, ["country", "site_type"], true),
  ...catalogue(
    "linode/types",
    types,
    ["class", "disk", "gpus", "label", "memory", "network_out", "transfer", "vcpus"],
    true,
  ),
  ...catalogue(
    "linode/kernels",
    kernels,
    ["architecture", "built", "deprecated", "kvm", "label", "pvops", "version"],
    true,
  ),
];

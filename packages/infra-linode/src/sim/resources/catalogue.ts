import { notFound } from "../api/api-error.ts";
import type { Route } from "../api/route.ts";
import { images, kernels, regions, types } from "../seed.ts";

const catalogue = (
  path: string,
  items: readonly { readonly id: string }[],
  filterable: readonly string[],
  isPublic: boolean,
): readonly Route[] => [
  { method: "GET", path, filterable, isPublic, handle: () => [...items] },
  {
    method: "GET",
    path: `${path}/:id`,
    isPublic,
    handle: ({ params }) => {
      const found = items.find(({ id }) => id === params["id"]);
      if (found === undefined) throw notFound();
      return found;
    },
  },
];

/** What the API offers; the same for every account. */
export const catalogueRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "regions/availability",
    filterable: ["region", "plan", "available"],
    isPublic: true,
    handle: () => regions.flatMap(({ id }) => types.map((type) => ({ region: id, plan: type.id, available: true }))),
  },
  ...catalogue("regions", regions, [], true),
  ...catalogue("linode/types", types, ["class", "disk", "gpus", "label", "memory", "transfer", "vcpus"], true),
  ...catalogue(
    "linode/kernels",
    kernels,
    ["architecture", "built", "deprecated", "kvm", "label", "pvops", "version"],
    true,
  ),
  ...catalogue(
    "images",
    images,
    ["deprecated", "is_public", "label", "size", "status", "type", "vendor", "tags"],
    false,
  ),
];

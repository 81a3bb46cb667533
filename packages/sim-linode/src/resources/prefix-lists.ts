import type { PrefixList } from "@capstan/linode-client";
import type { Route } from "@capstan/simulation";
import { collection } from "../api/collection.ts";
import { named } from "../api/resource.ts";
import { route } from "../api/route.ts";
import { regions } from "../seed.ts";
import type { World } from "../world.ts";

const firstDay = "2024-01-01T00:00:00";

/** Lists that every account may name in rules: the addresses of the object storage and the resolvers of a region. */
export const prefixLists: readonly PrefixList[] = regions.flatMap(({ id: region, label }, index) => {
  const service = (offset: number, name: string, description: string, octet: number): PrefixList => ({
    id: 2 * index + offset,
    name: `pl:system:${name}:${region}`,
    description: `${description} of ${label}`,
    visibility: "public",
    source_prefixlist_id: null,
    ipv4: [`198.18.${octet}.${index * 8}/29`],
    ipv6: [`2001:db8:${octet}:${index.toString(16)}::/64`],
    version: 1,
    created: firstDay,
    updated: firstDay,
    deleted: null,
  });
  return [service(1, "object-storage", "Object storage", 1), service(2, "resolvers", "Resolvers", 2)];
});

/** Networks that have a name. */
export const prefixListRoutes: readonly Route<World>[] = [
  collection({
    path: "networking/prefixlists",
    filterable: ["name", "visibility", "created", "updated"],
    list: () => prefixLists,
  }),
  route({
    method: "GET",
    path: "networking/prefixlists/:id",
    handle: (request) => named(prefixLists, request, "id"),
  }),
];

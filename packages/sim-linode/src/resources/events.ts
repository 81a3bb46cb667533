import type { Route } from "@capstan/simulation";
import { collection } from "../api/collection.ts";
import { named } from "../api/resource.ts";
import { route } from "../api/route.ts";
import type { World } from "../world.ts";

const base = "account/events";

/** Routes of the account's events, newest first. */
export const eventRoutes: readonly Route<World>[] = [
  collection({
    path: base,
    filterable: ["id", "action", "created", "entity.id", "entity.type", "read", "seen", "status", "username"],
    list: (_request, { state }) => state.events.toReversed(),
  }),
  route({ method: "GET", path: `${base}/:id`, handle: (request, { state }) => named(state.events, request, "id") }),
  route({
    method: "POST",
    path: `${base}/:id/seen`,
    handle: (request, { state }) => {
      const { id } = named(state.events, request, "id");
      for (const event of state.events) if (event.id <= id) event.seen = true;
    },
  }),
  route({
    method: "POST",
    path: `${base}/:id/read`,
    handle: (request, { state }) => {
      named(state.events, request, "id").read = true;
    },
  }),
];

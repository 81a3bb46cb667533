import type { AccountBetaProgram, BetaProgram } from "@capstan/linode-client";
import { invalid, object, type Route, text } from "@capstan/simulation";
import { collection } from "../api/collection.ts";
import { named } from "../api/resource.ts";
import { route } from "../api/route.ts";
import type { World } from "../world.ts";
import { apiTime } from "../times.ts";

const programs: readonly BetaProgram[] = [
  {
    id: "simulated_beta",
    label: "Simulated Beta",
    description: "Something new that nothing here depends on",
    started: "2024-01-01T00:00:00",
    ended: null,
    greenlight_only: false,
    more_info: null,
  },
];

const enrolled = ({ state: { account } }: World): AccountBetaProgram[] => (account.betas ??= []);

/** Routes of the beta programs. */
export const betaRoutes: readonly Route<World>[] = [
  collection({ path: "betas", filterable: [], list: () => programs }),
  route({ method: "GET", path: "betas/:id", handle: (request) => named(programs, request, "id") }),
  collection({ path: "account/betas", filterable: [], list: (_request, world) => enrolled(world) }),
  route({
    method: "GET",
    path: "account/betas/:id",
    handle: (request, world) => named(enrolled(world), request, "id"),
  }),
  route({
    method: "POST",
    path: "account/betas",
    body: object({ id: text() }, ["id"]),
    handle: ({ body }, world) => {
      const found = programs.find(({ id }) => id === body.id);
      if (found === undefined) throw invalid("A beta program by that ID was not found", "id");
      if (enrolled(world).some(({ id }) => id === body.id)) throw invalid("The account is enrolled already", "id");
      const { id, label, description, started, ended } = found;
      enrolled(world).push({ id, label, description, started, ended, enrolled: apiTime(world.clock.now()) });
    },
  }),
];

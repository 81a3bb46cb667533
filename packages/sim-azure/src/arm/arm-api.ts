import { apiService, type Route, type Service, text } from "@capstan/simulation";
import { isLogin } from "../login/login-api.ts";
import type { World } from "../world.ts";
import { admit } from "./admission.ts";
import { armLimiter, budgetHeaders } from "./rate-limiter.ts";
import { wordRefusal } from "./refusals.ts";

/** Doubled slashes are one, as for scopes that are put behind a slash. */
const pathOf = (path: string): string => path.replaceAll(/\/{2,}/g, "/").replace(/(.)\/$/, "$1");

/** By what Azure's logs find a request: ids of the client's own come back to it. */
const idsOf = (
  {
    "x-ms-client-request-id": client,
    "x-ms-correlation-request-id": correlation,
    "x-ms-return-client-request-id": wanted,
  }: Readonly<Record<string, string>>,
  { newUuid }: Pick<World, "newUuid">,
): Readonly<Record<string, string>> => ({
  "x-ms-request-id": newUuid(),
  "x-ms-correlation-request-id": correlation ?? newUuid(),
  ...(client !== undefined && wanted === "true" && { "x-ms-client-request-id": client }),
  "cache-control": "no-cache",
});

/** Azure Resource Manager, of all namespaces that are simulated. */
export const armApi = ({
  cloud,
  world,
  routes,
  rateLimitScale,
}: {
  readonly cloud: Parameters<typeof apiService>[0]["cloud"];
  readonly world: World;
  readonly routes: readonly Route<World>[];
  readonly rateLimitScale: number;
}): Service =>
  apiService<World>({
    cloud,
    world,
    routes,
    pathOf,
    owns: ({ path }) => !isLogin(path),
    anyCase: true,
    operations: true,
    query: { "api-version": text({ pattern: /^\d{4}-\d\d-\d\d(?:-preview)?$/ }) },
    headers: ["If-Match", "If-None-Match"],
    admit: (request) => (request.route.isPublic === true ? "" : admit(request, world)),
    limiter: armLimiter(rateLimitScale),
    budgetHeaders,
    answerHeaders: (request) => idsOf(request?.headers ?? {}, world),
    wordRefusal,
    // Protected settings are kept: no answer shows them, so that this is where to look for what an extension was told.
    secrets: ["customData", "adminPassword", "userData", "s", "sig"],
  });

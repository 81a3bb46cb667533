import {
  type ApiCloud,
  apiService,
  type RateLimitRule,
  Refusal,
  type Route,
  type Service,
  violation,
  windowLimiter,
} from "@capstan/simulation";
import type { World } from "../world.ts";
import { releasedForm } from "./beta.ts";
import { pageQuery } from "./collection.ts";

/** Limits according to the provider's documentation and users' reports; the window of instance creation is 15 s. */
export const defaultRateLimits: readonly RateLimitRule[] = [
  { family: "POST linode/instances", limit: 20, windowMs: 15_000 },
  { family: "POST vpcs", limit: 15, windowMs: 60_000 },
  { family: "POST object-storage/buckets", limit: 60, windowMs: 60_000 },
  { family: "POST object-storage/keys", limit: 60, windowMs: 60_000 },
  { family: "*", limit: 1840, windowMs: 60_000 },
];

interface Options {
  readonly routes: readonly Route<World>[];
  readonly world: World;
  readonly cloud: ApiCloud;
  readonly rateLimits: readonly RateLimitRule[];
  /** The one token that is accepted. */
  readonly token: string;
}

/** The Linode API v4: versions, tokens, rate limits and errors as JSON. */
export const linodeApi = ({ routes, world, cloud, rateLimits, token }: Options): Service =>
  apiService({
    routes,
    world,
    cloud,
    pathOf: belowVersion,
    variant: (route, { path }) => (path.startsWith("/v4/") ? releasedForm(route) : route),
    headers: ["X-Filter"],
    // linode-cli asks for a page of everything, linodego also of what it writes.
    query: pageQuery,
    admit: ({ headers, route }) => {
      const given = /^Bearer (.+)$/.exec(headers["authorization"] ?? "")?.[1];
      if (given === undefined ? route.isPublic !== true : given !== token) throw new Refusal(401, "Invalid Token");
      return given ?? "";
    },
    limiter: windowLimiter(rateLimits),
    budgetHeaders: ({ limit, remaining, resetAt }) => ({
      "x-ratelimit-limit": String(limit),
      "x-ratelimit-remaining": String(remaining),
      "x-ratelimit-reset": String(resetAt),
    }),
    wordRefusal: ({ message, field = "" }) => ({
      errors: [field === "" ? { reason: message } : { reason: message, field }],
    }),
    maxBodyBytes: maxImageBytes,
    secrets: ["root_pass", "user_data", "stackscript_data", "secret_key"],
  });

/** Images are uploaded in one request. */
const maxImageBytes = 256 * 1024 ** 2;

const versions = new Set(["v4", "v4beta"]);

/** Takes the API version off a request path. */
const belowVersion = (path: string): string => {
  const [, version = "", ...rest] = path.split("/");
  if (!versions.has(version)) throw violation(`${path}: no such API version`);
  return rest.join("/");
};

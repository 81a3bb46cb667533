import type { IncomingMessage } from "node:http";
import type { HttpAnswer, HttpInterface } from "../http-server.ts";
import { flatHeaders } from "../http-server.ts";
import type { StateFile } from "../state-file.ts";
import type { World } from "../world.ts";
import { ApiError } from "./api-error.ts";
import type { RateLimiter } from "./rate-limit.ts";
import type { Route } from "./route.ts";
import { belowVersion, matchRoute, runRoute } from "./router.ts";

interface Options {
  readonly routes: readonly Route[];
  readonly world: World;
  readonly file: StateFile;
  readonly limiter: RateLimiter;
  readonly tokens: ReadonlySet<string>;
}

/** The Linode API v4 as an HTTP interface: versions, tokens, rate limits, errors as JSON, state saved before the answer. */
export const linodeApi = (options: Options): HttpInterface => ({
  describe: (request) => describe(request, options.routes),
  answer: (request, body) => answer(request, body, options),
  failure: (status, reason) => json(status, { errors: [{ reason }] }),
});

const describe = (request: IncomingMessage, routes: readonly Route[]) => {
  const [full = "/"] = (request.url ?? "/").split("?", 1);
  try {
    const path = belowVersion(full);
    return { path, family: matchRoute(routes, request.method ?? "GET", path).family };
  } catch {
    return { path: full.replace(/^\/(?:v4(?:beta)?\/)?/, ""), family: undefined };
  }
};

const answer = async (request: IncomingMessage, body: Uint8Array, options: Options) => {
  const limits: { headers: Readonly<Record<string, string>> } = { headers: {} };
  try {
    const value = await run(request, body, options, limits);
    if (request.method !== "GET") await options.file.save();
    return { ...json(200, value, limits.headers), violation: false };
  } catch (error) {
    const known = error instanceof ApiError ? error : new ApiError(500, "Internal server error");
    if (known !== error) options.world.log.error("simulated API failed", { error: String(error) });
    const { status, message, field, headers, violation } = known;
    const entry = field === undefined || field === "" ? { reason: message } : { reason: message, field };
    return { ...json(status, { errors: [entry] }, { ...limits.headers, ...headers }), violation, reason: message };
  }
};

const run = async (
  request: IncomingMessage,
  body: Uint8Array,
  { routes, world, limiter, tokens }: Options,
  limits: { headers: Readonly<Record<string, string>> },
): Promise<unknown> => {
  const url = new URL(request.url ?? "/", "http://simulator");
  const method = request.method ?? "GET";
  const headers = flatHeaders(request);
  const path = belowVersion(url.pathname);
  const matched = matchRoute(routes, method, path);
  const token = /^Bearer (.+)$/.exec(headers["authorization"] ?? "")?.[1];
  if (token === undefined ? matched.route.isPublic !== true : !tokens.has(token)) {
    throw new ApiError(401, "Invalid Token");
  }
  const budget = limiter.take(token ?? "", matched.family, world.clock.now());
  limits.headers = budget.headers;
  if (!budget.allowed) throw new ApiError(429, "Too many requests");
  const text = Buffer.from(body).toString();
  return runRoute(matched, { method, path, query: url.searchParams, filter: headers["x-filter"], body: text }, world);
};

const json = (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): HttpAnswer => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(value ?? {}),
});

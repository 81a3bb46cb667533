import type { Page } from "@capstan/linode-client";
import type { World } from "../world.ts";
import { invalid, violation } from "./api-error.ts";
import { applyFilter } from "./list-filter.ts";
import type { Route } from "./route.ts";
import { checkShape } from "./shape.ts";

export interface IncomingCall {
  readonly method: string;
  /** Below the API version. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly filter: string | undefined;
  /** Raw text, empty if there was none. */
  readonly body: string;
}

export interface Matched {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
  /** Method and path with values as `*`. */
  readonly family: string;
}

const versions = new Set(["v4", "v4beta"]);

/** Takes the API version off a request path. */
export const belowVersion = (path: string): string => {
  const [, version = "", ...rest] = path.split("/");
  if (!versions.has(version)) throw violation(`${path}: no such API version`);
  return rest.join("/");
};

/** Finds the route of a call. Unknown paths and methods are violations that name what was wrong. */
export const matchRoute = (routes: readonly Route[], method: string, path: string): Matched => {
  const segments = path.split("/");
  const samePath = routes.flatMap((route) => {
    const params = matchSegments(route.path.split("/"), segments);
    return params === undefined ? [] : [{ route, params, family: familyOf(route) }];
  });
  const found = samePath.find(({ route }) => route.method === method);
  if (found !== undefined) return found;
  throw samePath.length === 0
    ? violation(`${path} is not a path of this API`)
    : violation(`${path} does not know the method ${method}`);
};

export const familyOf = (route: Route): string => `${route.method} ${route.path.replaceAll(/:\w+/g, "*")}`;

/** Literal segments win over values because routes with more of them stand first in the table. */
const matchSegments = (pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined => {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index]!;
    if (part.startsWith(":")) params[part.slice(1)] = decodeURIComponent(segment);
    else if (part !== segment) return undefined;
  }
  return params;
};

/** Checks a call strictly against its route, runs it and returns the JSON of the answer. */
export const runRoute = async ({ route, params }: Matched, call: IncomingCall, world: World): Promise<unknown> => {
  const paged = route.filterable !== undefined;
  for (const name of call.query.keys()) {
    if (!paged || (name !== "page" && name !== "page_size")) throw violation(`unknown query parameter ${name}`, name);
  }
  if (call.filter !== undefined && !paged) throw violation("X-Filter is for collections only");
  const answer = await route.handle({ params, body: readBody(route, call.body) }, world);
  if (route.filterable === undefined) return answer;
  const items = answer as readonly object[];
  return pageOf(call.filter === undefined ? items : applyFilter(items, call.filter, route.filterable), call.query);
};

const readBody = (route: Route, text: string): Readonly<Record<string, unknown>> => {
  if (route.body === undefined) {
    if (text !== "" && text !== "{}") throw violation("this operation takes no body");
    return {};
  }
  const body: unknown = parse(text === "" ? "{}" : text);
  checkShape(body, route.body);
  return body as Readonly<Record<string, unknown>>;
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw violation(`the body is no JSON: ${String(cause)}`);
  }
};

const pageOf = (items: readonly object[], query: URLSearchParams): Page<object> => {
  const page = whole(query, "page", 1, 1, Infinity);
  const size = whole(query, "page_size", 100, 25, 500);
  const pages = Math.max(1, Math.ceil(items.length / size));
  if (page > pages) throw invalid("page is out of range", "page");
  return { data: items.slice((page - 1) * size, page * size), page, pages, results: items.length };
};

const whole = (query: URLSearchParams, name: string, otherwise: number, min: number, max: number): number => {
  const text = query.get(name);
  if (text === null) return otherwise;
  if (!/^\d+$/.test(text)) throw violation("must be an integer", name);
  const value = Number(text);
  if (value < min || value > max) throw invalid(`Must be ${min}-${max}`, name);
  return value;
};

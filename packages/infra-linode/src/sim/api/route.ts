import type { World } from "../world.ts";
import type { Shape } from "./shape.ts";

export interface RouteRequest {
  /** Values of the `:name` segments. */
  readonly params: Readonly<Record<string, string>>;
  /** Checked against the route's shape; `{}` without a body. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** One operation of the simulated API. Everything it does not declare is refused. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below the API version, with `:name` for values, for example `linode/instances/:id`. */
  readonly path: string;
  /** The answer is a collection: a list that is filtered and paged. */
  readonly filterable?: readonly string[];
  readonly body?: Shape;
  /** Answers without a token. */
  readonly isPublic?: boolean;
  /** Returns the JSON of a 200, or the whole collection. Throws `ApiError`. */
  readonly handle: (request: RouteRequest, world: World) => unknown;
}

/** The number in a path, or -1, which nothing has as its id. */
export const idOf = (request: RouteRequest, name = "id"): number => {
  const value = request.params[name] ?? "";
  return /^\d+$/.test(value) ? Number(value) : -1;
};

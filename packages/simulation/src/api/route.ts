import type { OperationFault } from "../faults/fault.ts";
import type { Fields, Shape, ValueOf } from "./shape.ts";

export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A request that fits its route. */
export interface RouteRequest<Params = Readonly<Record<string, string>>, Query = object, Body = unknown> {
  /** Values of the `:name` segments, unescaped. */
  readonly params: Params;
  readonly query: Query;
  /** As the route's shape lets it pass. */
  readonly body: Body;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Who asks, as the API's `admit` found. */
  readonly caller: string;
  /** Where the server is, for absolute addresses in answers. */
  readonly serverUrl: string;
  /** Fault of the operation that the request begins. */
  readonly fault?: OperationFault | undefined;
}

/** One operation of a simulated API. Everything it does not declare is refused. */
export interface Route<W> {
  readonly method: Method;
  /** For example `servers/:id`. A last name with a plus, as in `files/:path+`, takes one or more segments. */
  readonly path: string;
  /** Parameters that may be given. */
  readonly query?: Fields;
  /** Those of the API's special headers that may be given here. */
  readonly headers?: readonly string[];
  readonly body?: Shape;
  /** Encoding of the body. Default: JSON. */
  readonly bodyType?: "json" | "form";
  /** Answers without credentials. */
  readonly isPublic?: boolean;
  /** Returns the JSON of a 200, or a `Reply`. Throws a `Refusal`. */
  readonly handle: (request: RouteRequest<never, never, never>, world: W) => unknown;
}

type Names<Path extends string> = Path extends `${infer Segment}/${infer Rest}`
  ? Name<Segment> | Names<Rest>
  : Name<Path>;
type Name<Segment extends string> = Segment extends `:${infer Rest}+`
  ? Rest
  : Segment extends `:${infer Rest}`
    ? Rest
    : never;

/** A route as it is written: the handler knows what the declarations let pass. */
export interface RouteSource<W, P extends string, Q extends Fields, B extends Shape> extends Omit<
  Route<W>,
  "path" | "query" | "body" | "handle"
> {
  readonly path: P;
  readonly query?: Q;
  readonly body?: B;
  readonly handle: (
    request: RouteRequest<
      { readonly [K in Names<P>]: string },
      { readonly [K in keyof Q]?: ValueOf<Q[K]> },
      ValueOf<B>
    >,
    world: W,
  ) => unknown;
}

/** Gives the function that routes of an API are written with; `W` is what their handlers work on. */
export const routing =
  <W>() =>
  <const P extends string, const Q extends Fields = Readonly<Record<string, never>>, const B extends Shape = never>(
    source: RouteSource<W, P, Q, B>,
  ): Route<W> =>
    source;

import type { Page } from "@capstan/linode-client";
import { type Fields, invalid, type Route, type RouteRequest } from "@capstan/simulation";
import type { World } from "../world.ts";
import { applyFilter } from "./list-filter.ts";
import { route } from "./route.ts";

interface Collection<P extends string> {
  readonly path: P;
  /** Fields that `X-Filter` may name. */
  readonly filterable: readonly string[];
  readonly isPublic?: boolean;
  /** Parameters besides those of the page. */
  readonly query?: Fields;
  /** The whole collection. */
  readonly list: (
    request: Pick<RouteRequest, "params"> & { readonly query: Readonly<Record<string, unknown>> },
    world: World,
  ) => readonly object[];
}

/** Query parameters for the page of a list and its size. */
export const pageQuery = {
  page: { type: "integer", min: 1 },
  page_size: { type: "integer", min: 25, max: 500 },
} as const satisfies Fields;

/** A GET whose answer is a list that is filtered and paged. */
export const collection = <const P extends string>({
  path,
  filterable,
  isPublic = false,
  query: more = {},
  list,
}: Collection<P>): Route<World> =>
  route({
    method: "GET",
    path,
    isPublic,
    query: { ...more, ...pageQuery },
    headers: ["X-Filter"],
    handle: ({ params, query, headers }, world) => {
      const items = list({ params, query }, world);
      const filter = headers["x-filter"];
      return pageOf(filter === undefined ? items : applyFilter(items, filter, filterable), query);
    },
  });

/** One page of a list, as the API answers it. */
export const pageOf = (
  items: readonly object[],
  { page: number = 1, page_size: size = 100 }: { readonly page?: number; readonly page_size?: number },
): Page<object> => {
  const pages = Math.max(1, Math.ceil(items.length / size));
  if (number > pages) throw invalid("page is out of range", "page");
  return { data: items.slice((number - 1) * size, number * size), page: number, pages, results: items.length };
};

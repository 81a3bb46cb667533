import type { ApiPath } from "./path.ts";
import type { Transport } from "./transport.ts";
import type { ListOptions, Page } from "./types/api.ts";

const defaultPageSize = 100;

/** One page; `page` defaults to 1. */
export const listPage = async <T>(
  transport: Transport,
  path: ApiPath,
  options: ListOptions = {},
  cacheMs?: number,
): Promise<Page<T>> =>
  transport.call(
    {
      method: "GET",
      path,
      query: { page: options.page ?? 1, page_size: options.pageSize ?? defaultPageSize },
      filter: options.filter,
      ...(cacheMs === undefined ? {} : { cacheMs }),
    },
    options,
  );

/** Every page in order, or only the one asked for. */
export const listAll = async <T>(
  transport: Transport,
  path: ApiPath,
  options: ListOptions = {},
  cacheMs?: number,
): Promise<readonly T[]> => {
  if (options.page !== undefined && options.page > 0) {
    return (await listPage<T>(transport, path, options, cacheMs)).data;
  }
  const first = await listPage<T>(transport, path, { ...options, page: 1 }, cacheMs);
  const items = [...first.data];
  for (let page = 2; page <= first.pages; page += 1) {
    items.push(...(await listPage<T>(transport, path, { ...options, page }, cacheMs)).data);
  }
  return items;
};

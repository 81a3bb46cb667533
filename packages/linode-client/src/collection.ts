import type { ApiPath } from "./path.ts";
import { LinodeError } from "./error.ts";
import type { ApiCall, Transport } from "./transport.ts";
import type { ListOptions, Page } from "./types/api.ts";

const defaultPageSize = 100;

/** The longest list, in all its pages: the largest accounts have some ten million characters. */
const mostCharacters = 64 * 1024 ** 2;

/** One page; `page` defaults to 1. */
export const listPage = async <T>(
  transport: Transport,
  path: ApiPath,
  options: ListOptions = {},
  cacheMs?: number,
  onText?: ApiCall["onText"],
): Promise<Page<T>> =>
  transport.call(
    {
      method: "GET",
      path,
      query: { ...options.query, page: options.page ?? 1, page_size: options.pageSize ?? defaultPageSize },
      filter: options.filter,
      ...(cacheMs === undefined ? {} : { cacheMs }),
      ...(onText === undefined ? {} : { onText }),
    },
    options,
  );

/** Every item in order, page after page, or those of the one page asked for. */
export async function* each<T>(
  transport: Transport,
  path: ApiPath,
  options: ListOptions = {},
  cacheMs?: number,
): AsyncGenerator<T, void, undefined> {
  const only = options.page !== undefined && options.page > 0;
  let characters = 0;
  const count = (more: number): void => {
    characters += more;
  };
  for (let number = only ? options.page : 1; ; number += 1) {
    const { data, pages } = await listPage<T>(transport, path, { ...options, page: number }, cacheMs, count);
    if (characters > mostCharacters) {
      const reason = `the pages of the list have more than ${mostCharacters} characters; check the address of the API`;
      throw new LinodeError({ method: "GET", path: path.text, errors: [{ reason }] });
    }
    yield* data;
    if (only || number >= pages) return;
  }
}

/** Every page in order, or only the one asked for. */
export const listAll = async <T>(
  transport: Transport,
  path: ApiPath,
  options: ListOptions = {},
  cacheMs?: number,
): Promise<readonly T[]> => {
  const items: T[] = [];
  for await (const item of each<T>(transport, path, options, cacheMs)) items.push(item);
  return items;
};

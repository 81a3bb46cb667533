import { listAll, listPage } from "./collection.ts";
import type { ApiPath } from "./path.ts";
import type { Transport } from "./transport.ts";
import type { CallOptions, ListOptions, Page } from "./types/api.ts";

/** A collection that can be listed, whole or by page. */
export interface Listing<T> {
  list(options?: ListOptions): Promise<readonly T[]>;
  listPage(options?: ListOptions): Promise<Page<T>>;
}

export const listing = <T>(transport: Transport, path: ApiPath, cacheMs?: number): Listing<T> => ({
  list: (options) => listAll(transport, path, options, cacheMs),
  listPage: (options) => listPage(transport, path, options, cacheMs),
});

/** The verbs of one client, bound to its transport. Deletes answer nothing. */
export interface Verbs {
  readonly get: <T>(path: ApiPath, options?: CallOptions, cacheMs?: number) => Promise<T>;
  readonly post: <T>(path: ApiPath, body: unknown, options?: CallOptions) => Promise<T>;
  readonly put: <T>(path: ApiPath, body: unknown, options?: CallOptions) => Promise<T>;
  readonly remove: (path: ApiPath, options?: CallOptions) => Promise<void>;
}

export const verbs = (transport: Transport): Verbs => ({
  get: (path, options, cacheMs) =>
    transport.call({ method: "GET", path, ...(cacheMs === undefined ? {} : { cacheMs }) }, options),
  post: (path, body, options) => transport.call({ method: "POST", path, body }, options),
  put: (path, body, options) => transport.call({ method: "PUT", path, body }, options),
  remove: async (path, options) => {
    await transport.call({ method: "DELETE", path }, options);
  },
});

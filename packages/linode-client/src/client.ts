import type { Readable } from "node:stream";
import type { ResponseCache } from "./cache.ts";
import { type Calls, callsOf } from "./call.ts";
import type { LinodeClientOptions } from "./options.ts";
import { pathOf } from "./path.ts";
import type { RateLimits } from "./rate-limit.ts";
import { operations } from "./tables/all.ts";
import { Transport } from "./transport.ts";
import type { CallOptions, Filter } from "./types/api.ts";
import { eventPoller, waiters } from "./waiters.ts";
import type { Entity, EventPoller, Waiters } from "./waiters.ts";

/** The input of `request`. */
export interface RawRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** For example `lke/clusters/*`. */
  readonly path: string;
  /** Escaped where they stand in the path. */
  readonly values?: readonly (string | number)[];
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly filter?: Filter;
  readonly body?: unknown;
}

/** The Linode API v4. Bodies and answers are plain JSON with the API's own field names. Failures are `LinodeError`. */
export interface LinodeClient extends Calls<typeof operations> {
  readonly waitFor: Waiters;
  eventPoller(
    about: { readonly entity: Entity; readonly action: string },
    options?: { readonly signal?: AbortSignal },
  ): Promise<EventPoller>;
  /** Puts an image, compressed by gzip, where `images.upload` says (`upload_to`). */
  uploadImage(url: string, bytes: Uint8Array | Readable, options?: CallOptions): Promise<void>;
  /**
   * An operation that has no call here, by its path below the API version, with the retries, limits and errors of all calls. Each `*` of the path
   * stands for one of the values, in order; a list needs `page` in its query.
   */
  request<T>(operation: RawRequest, options?: CallOptions): Promise<T>;
  /** The rate limits that the API last reported. */
  readonly rateLimits: RateLimits;
  readonly cache: ResponseCache;
  /** Ends idle connections once running calls are done. */
  close(): Promise<void>;
}

export const createLinodeClient = (options: LinodeClientOptions = {}): LinodeClient => {
  const transport = new Transport(options);
  const { system } = transport;
  const calls = callsOf(transport, operations);
  return {
    ...calls,
    waitFor: waiters({ ...calls, system }),
    eventPoller: (about, call) => eventPoller({ ...calls, system }, about, call),
    request: ({ method, path, values = [], ...given }, call) =>
      transport.call({ method, path: pathOf(path.replaceAll("*", ":value"), values), ...given }, call),
    uploadImage: (url, bytes, call) => transport.upload(url, bytes, call),
    rateLimits: transport.rateLimits,
    cache: transport.cache,
    close: () => transport.close(),
  };
};

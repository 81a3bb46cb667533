import type { Readable } from "node:stream";
import type { ResponseCache } from "./cache.ts";
import { type Calls, callsOf } from "./call.ts";
import type { LinodeClientOptions } from "./options.ts";
import type { RateLimits } from "./rate-limit.ts";
import { operations } from "./tables/all.ts";
import { Transport } from "./transport.ts";
import type { CallOptions } from "./types/api.ts";
import { eventPoller, waiters } from "./waiters.ts";
import type { Entity, EventPoller, Waiters } from "./waiters.ts";

/** The Linode API v4. Bodies and answers are plain JSON with the API's own field names. Failures are `LinodeError`. */
export interface LinodeClient extends Calls<typeof operations> {
  readonly waitFor: Waiters;
  eventPoller(
    about: { readonly entity: Entity; readonly action: string },
    options?: { readonly signal?: AbortSignal },
  ): Promise<EventPoller>;
  /** Puts an image, compressed by gzip, where `images.upload` says (`upload_to`). */
  uploadImage(url: string, bytes: Uint8Array | Readable, options?: CallOptions): Promise<void>;
  /** What the API last said about its rate limits. */
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
    uploadImage: (url, bytes, call) => transport.upload(url, bytes, call),
    rateLimits: transport.rateLimits,
    cache: transport.cache,
    close: () => transport.close(),
  };
};

import type { Clock, ProxyFor, Random } from "@capstan/contract";

export interface AcmeObjectStoreOptions {
  /** Dates signed URLs, and measures patience. */
  readonly clock: Clock;
  readonly random: Random;
  /** The HTTP proxy on the way to a store. Default: none. */
  readonly proxyFor?: ProxyFor;
  /** Tries of one call. Default 3. */
  readonly attempts?: number;
  /** From a request to the end of its answer. Default 10 000. */
  readonly timeoutMs?: number;
}

import type { AddressGuard, Clock, ProxyFor } from "@capstan/contract";

export interface S3ObjectStoreOptions {
  /** Dates signed URLs. */
  readonly clock: Clock;
  /** The HTTP proxy on the way to a store. Default: none. */
  readonly proxyFor?: ProxyFor;
  /** For the endpoints that Secrets name. Default: they may name any. */
  readonly guard?: AddressGuard;
  /** Bucket in the path instead of the host name. Default: only where the host name cannot hold it. */
  readonly forcePathStyle?: boolean;
  /** Tries of one call. Default 3. */
  readonly maxAttempts?: number;
  /** Default 5 000. */
  readonly connectTimeoutMs?: number;
  /** From a request to the end of its answer. Default 10 000. */
  readonly requestTimeoutMs?: number;
}

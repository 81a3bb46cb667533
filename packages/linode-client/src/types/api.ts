/** A string the API may extend: the known values, or any other. */
export type Open<Known extends string> = Known | (string & {});

/** One page of a collection. `page` counts from 1. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly page: number;
  readonly pages: number;
  readonly results: number;
}

export interface CallOptions {
  /** Stops the call, also while it waits before a retry; the signal's reason is thrown untouched. */
  readonly signal?: AbortSignal;
  /** Longest wait for the head of an answer, and between the parts of its body. Default: the client's `timeoutMs`. */
  readonly timeoutMs?: number;
}

export interface ListOptions extends CallOptions {
  /** Only this page. Default (and 0): every page, one after the other. */
  readonly page?: number;
  /** 25 to 500. Default 100. */
  readonly pageSize?: number;
  /** Sent as the `X-Filter` header; build it with `filter`. */
  readonly filter?: Filter;
  /** Parameters that only some lists have, such as `skip_ipv6_rdns`. */
  readonly query?: Readonly<Record<string, string | number | boolean>>;
}

/** A filter expression as the API reads it. */
export type Filter = Readonly<Record<string, unknown>>;

import type { StoreFailure } from "./store-errors.ts";
import { isTlsFailure } from "./tls-failure.ts";

/** Codes of Node for a store that cannot be reached. */
const byNetworkCode: Readonly<Record<string, StoreFailure>> = {
  ETIMEDOUT: "timeout",
  ECONNREFUSED: "unavailable",
  ECONNRESET: "unavailable",
  EPIPE: "unavailable",
  ENOTFOUND: "unavailable",
  EAI_AGAIN: "unavailable",
  EHOSTUNREACH: "unavailable",
  ENETUNREACH: "unavailable",
};

const byStatus: Readonly<Record<number, StoreFailure>> = {
  401: "unauthenticated",
  403: "forbidden",
  404: "objectNotFound",
  408: "timeout",
  409: "conflict",
  412: "conflict",
  413: "tooLarge",
  429: "throttled",
  500: "unavailable",
  502: "unavailable",
  503: "unavailable",
  504: "unavailable",
};

/** Too slow, too large, too often. */
const plainStatuses: ReadonlySet<number> = new Set([408, 413, 429]);

/** Returns whether a status says the same whoever gives it, a store or a proxy on the way. */
export const isStatusOfAnybody = (status: number): boolean => status >= 500 || plainStatuses.has(status);

/** Facts about a failed call. */
export interface StoreAnswer {
  /** That the store or Node may have given, the most telling first. */
  readonly codes: readonly (string | undefined)[];
  readonly status: number | undefined;
}

/**
 * Classifies a failed call of a store: the store's own codes (`ofStore`) win over the bare status, which is all that a
 * response to HEAD has.
 */
export const storeFailureOf = (
  { codes, status }: StoreAnswer,
  ofStore: Readonly<Record<string, StoreFailure>>,
): StoreFailure => {
  for (const code of codes) {
    const named = code === undefined ? undefined : (ofStore[code] ?? byNetworkCode[code]);
    if (named !== undefined) return named;
  }
  if (codes.some((code) => code !== undefined && isTlsFailure(code))) return "unavailable";
  return (status === undefined ? undefined : byStatus[status]) ?? "unknown";
};

import type { ErrorReason } from "./error.ts";
import { mediaType } from "./error.ts";
import { retryAfterMs } from "./retry-after.ts";

/** The outcome of one attempt. */
export interface Attempt {
  readonly method: string;
  readonly path: string;
  /** Absent when no answer arrived. */
  readonly status?: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly errors: readonly ErrorReason[];
  /** The error, if no response arrived. */
  readonly failure?: unknown;
}

export interface RetryOptions {
  /** Tries after the first. 0 turns retrying off. Default 1000. */
  readonly maxRetries?: number;
  /** Shortest and longest wait. Default 3 000 and 30 000. */
  readonly minWaitMs?: number;
  readonly maxWaitMs?: number;
  /** Added to every wait, as a random share of it up to this. Default 0.2. */
  readonly jitter?: number;
  /** Further reasons to retry. */
  readonly conditions?: readonly ((attempt: Attempt) => boolean)[];
}

export type RetryRules = Required<RetryOptions>;

export const retryRules = (options: RetryOptions = {}): RetryRules => ({
  maxRetries: options.maxRetries ?? 1000,
  minWaitMs: options.minWaitMs ?? 3000,
  maxWaitMs: options.maxWaitMs ?? 30_000,
  jitter: options.jitter ?? 0.2,
  conditions: options.conditions ?? [],
});

const idempotent = new Set(["GET", "PUT", "DELETE"]);
const connectionLost = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

/** The instance or its host is doing something else: a 400 that passes. */
export const busyReason = "Linode busy.";

const builtIn: readonly ((attempt: Attempt) => boolean)[] = [
  ({ status }) => status === 429 || status === 408,
  ({ status, headers }) => status === 503 && headers["x-maintenance-mode"] === undefined,
  ({ status, errors }) => status === 400 && errors.length === 1 && errors[0]!.reason === busyReason,
  ({ status, headers }) =>
    status === 400 && headers["server"] === "nginx" && mediaType(headers["content-type"] ?? "") === "text/html",
  ({ method, failure }) => idempotent.has(method) && connectionLost.has(failureCode(failure)),
  // Over HTTP/2, with a dispatcher of the caller's: the server did not act on requests that it sends away.
  ({ failure }) => failure instanceof Error && failure.message.includes("GOAWAY"),
];

const failureCode = (failure: unknown): string => (failure as { code?: string } | undefined)?.code ?? "";

export const isRetryable = (attempt: Attempt, rules: Pick<RetryRules, "conditions">): boolean =>
  [...builtIn, ...rules.conditions].some((condition) => condition(attempt));

/** `random` in [0, 1). Jitter only ever makes the wait longer than the server asked for. */
export const retryWaitMs = (
  headers: Readonly<Record<string, string>>,
  rules: RetryRules,
  now: number,
  random: number,
): number => {
  const asked = retryAfterMs(headers["retry-after"], now) ?? rules.minWaitMs;
  const wait = Math.min(Math.max(asked, rules.minWaitMs), rules.maxWaitMs);
  return Math.round(wait * (1 + rules.jitter * random));
};

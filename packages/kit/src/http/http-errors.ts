import type { Retry } from "@capstan/contract";
import { CapstanError, isAnswered } from "@capstan/contract";
import { retryAfterMs } from "@capstan/kube-values";

/** An answer that is not a success. */
export interface ErrorAnswer {
  readonly status: number;
  /** Parsed JSON, or the text when it is none. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly method: string;
  readonly path: string;
}

/** One line of a vendor's table of errors. The first line that matches counts. */
export interface HttpErrorRule {
  readonly status?: number | readonly number[];
  /** Looks at the body, for vendors that say more there. */
  readonly when?: (answer: ErrorAnswer) => boolean;
  /** Without the service's name: `quota_exceeded`. */
  readonly code: string;
  readonly reason: string;
  /** Default: backoff. A Retry-After in the answer wins over `backoff`. */
  readonly retry?: Retry;
}

/** Maps a vendor's responses to errors. */
export interface HttpErrors {
  readonly rules?: readonly HttpErrorRule[];
  /** The vendor's own words in an answer, if any. They are shown to operators: never return secrets. */
  readonly message?: (answer: ErrorAnswer) => string | undefined;
}

const never: Retry = { kind: "never" };

/** Meanings of HTTP status codes; a vendor's own rules take precedence. */
const defaultRules: readonly HttpErrorRule[] = [
  { status: 401, code: "unauthorized", reason: "Unauthorized", retry: never },
  { status: 403, code: "forbidden", reason: "Forbidden", retry: never },
  { status: 404, code: "not_found", reason: "NotFound", retry: never },
  { status: [409, 412], code: "conflict", reason: "Conflict" },
  { status: [400, 405, 406, 410, 413, 414, 415, 422], code: "invalid", reason: "Invalid", retry: never },
  { status: 429, code: "rate_limited", reason: "RateLimited" },
  { status: [408, 500, 502, 503, 504], code: "unavailable", reason: "Unavailable" },
];

const matches = (rule: HttpErrorRule, answer: ErrorAnswer): boolean => {
  const statuses = rule.status === undefined ? undefined : [rule.status].flat();
  return (statuses?.includes(answer.status) ?? true) && (rule.when?.(answer) ?? true);
};

/** The error of an answer. The path has no query: signed queries are secrets. */
export const answerError = (service: string, answer: ErrorAnswer, errors: HttpErrors, now: number): CapstanError => {
  const rule = [...(errors.rules ?? []), ...defaultRules].find((candidate) => matches(candidate, answer));
  const { code, reason, retry } = rule ?? { code: "unknown", reason: "UnexpectedAnswer", retry: undefined };
  const after = retryAfterMs(answer.headers["retry-after"], now);
  const said = errors.message?.(answer);
  const byAnswer: Retry = after === undefined ? { kind: "backoff" } : { kind: "after", ms: after };
  return new CapstanError({
    code: `${service}.${code}`,
    reason,
    message: `${service}: ${answer.method} ${answer.path} answered ${answer.status}${said === undefined ? "" : `: ${said}`}`,
    retry: retry === undefined || retry.kind === "backoff" ? byAnswer : retry,
    answered: isAnswered(answer.status),
    details: { status: answer.status },
  });
};

/** The error of a call that got no answer. */
export const connectionError = (service: string, call: string, cause: unknown): CapstanError =>
  new CapstanError({
    code: `${service}.unavailable`,
    reason: "Unavailable",
    message: `${service}: ${call} got no response (${causeCode(cause)})`,
    cause,
  });

const causeCode = (cause: unknown): string => {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return typeof code === "string" ? code : "connection failed";
};

export const timeoutError = (service: string, call: string, timeoutMs: number): CapstanError =>
  new CapstanError({
    code: `${service}.timeout`,
    reason: "Timeout",
    message: `${service}: ${call} took longer than ${timeoutMs} ms`,
  });

import { TokenBucket } from "./token-bucket.ts";

/** Limit on the requests of one family that a caller may make in a window. */
export interface RateLimitRule {
  /** Method and path with values as `*`, for example `POST linode/instances`; `POST *` and `*` are every other request. */
  readonly family: string;
  readonly limit: number;
  readonly windowMs: number;
}

/** Limit on the requests of one family that a caller may make at once, and the rate after that. */
export interface RateBucketRule {
  /** As in `RateLimitRule`. */
  readonly family: string;
  readonly burst: number;
  readonly perSecond: number;
}

/** Who asks for what. */
export interface RatedCall {
  readonly caller: string;
  readonly family: string;
  /** As it was asked for, without query, for limits that are those of single resources. */
  readonly path: string;
}

/** Remainder of a limit after a call. */
export interface Budget {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** When the whole limit is there again, seconds since the epoch. */
  readonly resetAt: number;
  /** Set when the call is not allowed. */
  readonly retryAfterSeconds?: number;
}

/** Counts the calls of an API. */
export interface RateLimiter {
  /** `undefined`: nothing limits such calls. */
  take(call: RatedCall, now: number): Budget | undefined;
}

/** Fixed windows per caller and rule. */
export const windowLimiter = (rules: readonly RateLimitRule[]): RateLimiter => {
  const windows = new Map<string, { readonly start: number; used: number }>();
  return {
    take: ({ caller, family }, now) => {
      const rule = ruleFor(rules, family);
      if (rule === undefined) return undefined;
      const key = `${rule.family} ${caller}`;
      const start = now - (now % rule.windowMs);
      const found = windows.get(key);
      const window = found?.start === start ? found : { start, used: 0 };
      windows.set(key, window);
      const allowed = window.used < rule.limit;
      if (allowed) window.used += 1;
      const resetAt = Math.ceil((start + rule.windowMs) / 1000);
      return {
        allowed,
        limit: rule.limit,
        remaining: rule.limit - window.used,
        resetAt,
        ...(allowed ? {} : { retryAfterSeconds: Math.max(1, Math.ceil(resetAt - now / 1000)) }),
      };
    },
  };
};

/** A token bucket per caller and rule. */
export const bucketLimiter = (rules: readonly RateBucketRule[]): RateLimiter => {
  const buckets = new Map<string, TokenBucket>();
  return {
    take: ({ caller, family }, now) => {
      const rule = ruleFor(rules, family);
      if (rule === undefined) return undefined;
      const key = `${rule.family} ${caller}`;
      const bucket = buckets.get(key) ?? new TokenBucket(rule);
      buckets.set(key, bucket);
      const waitMs = bucket.take(now);
      const { remaining } = bucket;
      return {
        allowed: waitMs === 0,
        limit: rule.burst,
        remaining,
        resetAt: Math.ceil(now / 1000 + (rule.burst - remaining) / rule.perSecond),
        ...(waitMs === 0 ? {} : { retryAfterSeconds: Math.ceil(waitMs / 1000) }),
      };
    },
  };
};

/** The family itself, then its method, then everything. */
const ruleFor = <R extends { readonly family: string }>(rules: readonly R[], family: string): R | undefined => {
  const [method = ""] = family.split(" ", 1);
  return [family, `${method} *`, "*"]
    .map((name) => rules.find((rule) => rule.family === name))
    .find((rule) => rule !== undefined);
};

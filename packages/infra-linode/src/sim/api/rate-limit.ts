/** How many requests of one family a token may make in a window. */
export interface RateLimitRule {
  /** Method and path with ids as `*`, for example `POST linode/instances`; `*` alone is every other request. */
  readonly family: string;
  readonly limit: number;
  readonly windowMs: number;
}

/** What the provider's documentation and users report; the window of instance creation is 15 s. */
export const defaultRateLimits: readonly RateLimitRule[] = [
  { family: "POST linode/instances", limit: 20, windowMs: 15_000 },
  { family: "POST vpcs", limit: 15, windowMs: 60_000 },
  { family: "POST object-storage/buckets", limit: 60, windowMs: 60_000 },
  { family: "POST object-storage/keys", limit: 60, windowMs: 60_000 },
  { family: "*", limit: 1840, windowMs: 60_000 },
];

interface Window {
  readonly start: number;
  used: number;
}

export interface Budget {
  readonly allowed: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** Fixed windows per token and family. */
export class RateLimiter {
  readonly #rules: readonly RateLimitRule[];
  readonly #windows = new Map<string, Window>();

  constructor(rules: readonly RateLimitRule[]) {
    this.#rules = rules;
  }

  take(token: string, family: string, now: number): Budget {
    const rule = this.#rules.find((entry) => entry.family === family) ?? this.#rules.find(({ family: f }) => f === "*");
    if (rule === undefined) return { allowed: true, headers: {} };
    const key = `${rule.family} ${token}`;
    const start = now - (now % rule.windowMs);
    const found = this.#windows.get(key);
    const window = found?.start === start ? found : { start, used: 0 };
    this.#windows.set(key, window);
    const allowed = window.used < rule.limit;
    if (allowed) window.used += 1;
    const resetAt = Math.ceil((start + rule.windowMs) / 1000);
    return {
      allowed,
      headers: {
        "x-ratelimit-limit": String(rule.limit),
        "x-ratelimit-remaining": String(rule.limit - window.used),
        "x-ratelimit-reset": String(resetAt),
        ...(allowed ? {} : { "retry-after": String(Math.max(1, Math.ceil(resetAt - now / 1000))) }),
      },
    };
  }
}

/** What the last answer of one family said about its rate limit. */
export interface RateLimit {
  /** Requests per window. */
  readonly limit: number;
  readonly remaining: number;
  /** Start of the next window, milliseconds since the epoch. */
  readonly resetAt: number;
  /** When the answer arrived, milliseconds since the epoch. */
  readonly observedAt: number;
}

/** Rate limits as observed, by family: method and path with ids replaced, for example `POST linode/instances`. */
export interface RateLimits {
  get(family: string): RateLimit | undefined;
}

export class ObservedRateLimits implements RateLimits {
  readonly #limits = new Map<string, RateLimit>();

  get(family: string): RateLimit | undefined {
    return this.#limits.get(family);
  }

  observe(family: string, headers: Readonly<Record<string, string>>, now: number): void {
    const limit = whole(headers["x-ratelimit-limit"]);
    const remaining = whole(headers["x-ratelimit-remaining"]);
    const reset = whole(headers["x-ratelimit-reset"]);
    if (limit === undefined || remaining === undefined || reset === undefined) return;
    this.#limits.set(family, { limit, remaining, resetAt: reset * 1000, observedAt: now });
  }
}

const whole = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;

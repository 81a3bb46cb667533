import { createHash } from "node:crypto";

/** The rate limit in the last response of one family of calls. */
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

/** Later than the API's window begins, because clocks differ. */
const graceMs = 1000;

export class ObservedRateLimits implements RateLimits {
  readonly #limits = new Map<string, RateLimit>();
  /** Calls begun since the last answer, by family. */
  readonly #begun = new Map<string, number>();

  get(family: string): RateLimit | undefined {
    return this.#limits.get(family);
  }

  observe(family: string, headers: Readonly<Record<string, string>>, now: number): void {
    const limit = whole(headers["x-ratelimit-limit"]);
    const remaining = whole(headers["x-ratelimit-remaining"]);
    const reset = whole(headers["x-ratelimit-reset"]);
    if (limit === undefined || remaining === undefined || reset === undefined) return;
    this.#limits.set(family, { limit, remaining, resetAt: reset * 1000, observedAt: now });
    this.#begun.delete(family);
  }

  /** Takes one call off what is left of the window. Otherwise: how long until there is more, milliseconds. */
  take(family: string, now: number): number {
    const known = this.#limits.get(family);
    if (known === undefined || known.resetAt + graceMs <= now) return 0;
    const begun = this.#begun.get(family) ?? 0;
    if (known.remaining <= begun) return known.resetAt + graceMs - now;
    this.#begun.set(family, begun + 1);
    return 0;
  }
}

/** The rate limits of tokens: clients that are given the same budget, and have the same token, share what is left. */
export class RateBudget {
  readonly #tokens = new Map<string, ObservedRateLimits>();

  /** Those of a token; the budget keeps no token, only what one is recognized by. */
  of(token: string): ObservedRateLimits {
    const key = createHash("sha256").update(token).digest("hex");
    const found = this.#tokens.get(key) ?? new ObservedRateLimits();
    this.#tokens.set(key, found);
    return found;
  }
}

const whole = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;

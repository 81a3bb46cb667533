import { Refusal } from "../http/refusal.ts";
import { TokenBucket } from "./token-bucket.ts";

/** Requests per second; what is not given is not throttled. A second's worth may come at once. */
export interface ThrottleRates {
  readonly readsPerSecond?: number;
  readonly writesPerSecond?: number;
  readonly deletesPerSecond?: number;
}

type Rate = keyof ThrottleRates;

/** A limit that whoever tests puts on a whole service, besides the limits that the vendor documents. */
export class Throttle {
  #rates: ThrottleRates = {};
  readonly #buckets = new Map<Rate, TokenBucket>();

  get rates(): ThrottleRates {
    return this.#rates;
  }

  set(rates: ThrottleRates): void {
    this.#rates = rates;
    this.#buckets.clear();
    for (const [name, perSecond] of Object.entries(rates) as [Rate, number][]) {
      this.#buckets.set(name, new TokenBucket({ burst: Math.max(1, perSecond), perSecond }));
    }
  }

  /** The refusal of a request that is too much. */
  take(method: string, now: number): Refusal | undefined {
    const waitMs = this.#buckets.get(rateOf(method))?.take(now) ?? 0;
    if (waitMs === 0) return undefined;
    const headers = { "retry-after": String(Math.ceil(waitMs / 1000)) };
    return new Refusal(429, "Too many requests", { code: "TooManyRequests", headers });
  }
}

const rateOf = (method: string): Rate =>
  method === "GET" || method === "HEAD"
    ? "readsPerSecond"
    : method === "DELETE"
      ? "deletesPerSecond"
      : "writesPerSecond";

/**
 * Lets `burst` requests pass at once and then `perSecond`; refuses the others, which take nothing from it. `rateLimiter` of kube-values is
 * the client's side of the same: there a call that is too early takes its place in a queue and waits, so what is counted is another thing,
 * and neither can be made of the other.
 */
export class TokenBucket {
  readonly burst: number;
  readonly perSecond: number;
  #tokens: number;
  #at: number | undefined;

  constructor(options: { readonly burst: number; readonly perSecond: number }) {
    this.burst = options.burst;
    this.perSecond = options.perSecond;
    this.#tokens = options.burst;
  }

  /** Milliseconds until the request may come again; 0: it has passed. */
  take(now: number): number {
    const sinceMs = now - (this.#at ?? now);
    this.#at = now;
    this.#tokens = Math.min(this.burst, this.#tokens + (sinceMs * this.perSecond) / 1000);
    if (this.#tokens < 1) return Math.ceil(((1 - this.#tokens) * 1000) / this.perSecond);
    this.#tokens -= 1;
    return 0;
  }

  /** Requests that may still pass at once. */
  get remaining(): number {
    return Math.floor(this.#tokens);
  }
}

export interface RateLimit {
  readonly perSecond: number;
  /** Calls that may be made at once after a pause. */
  readonly burst: number;
}

/** Resolves when the next call may be made; callers are served in order. */
export type Throttle = (options: { readonly signal?: AbortSignal | undefined }) => Promise<void>;

/** Clock of a throttle. */
export interface ThrottleClock {
  now(): number;
  sleep(ms: number, options?: { readonly signal?: AbortSignal }): Promise<void>;
}

/** A token bucket: lets `burst` calls pass at once and then `perSecond`. What a caller that gave up has taken is not returned. */
export const rateLimiter = ({ perSecond, burst }: RateLimit, clock: ThrottleClock): Throttle => {
  const spacingMs = 1000 / perSecond;
  // When the bucket would be full again: each call takes one spacing from it.
  let fullAt = clock.now();
  return async ({ signal }) => {
    const now = clock.now();
    fullAt = Math.max(fullAt, now) + spacingMs;
    const wait = fullAt - now - burst * spacingMs;
    if (wait > 0) await clock.sleep(wait, signal === undefined ? {} : { signal });
  };
};

import type { Clock } from "@capstan/contract";

export interface RateLimit {
  readonly perSecond: number;
  /** Calls that may be made at once after a pause. */
  readonly burst: number;
}

/** Resolves when the next call may be made; callers are served in order. */
export type Throttle = (options: { readonly signal?: AbortSignal | undefined }) => Promise<void>;

/** A token bucket on a clock. Tokens taken by a caller that gave up are not returned. */
export const tokenBucket = (limit: RateLimit, clock: Clock): Throttle => {
  let tokens = limit.burst;
  let filledAt = clock.now();
  return async ({ signal }) => {
    const now = clock.now();
    tokens = Math.min(limit.burst, tokens + ((now - filledAt) / 1000) * limit.perSecond);
    filledAt = now;
    tokens -= 1;
    if (tokens < 0) await clock.sleep((-tokens / limit.perSecond) * 1000, signal === undefined ? {} : { signal });
  };
};

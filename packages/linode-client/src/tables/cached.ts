const minuteMs = 60_000;

/** Lifetime of cached responses that rarely change. */
export const minute = { cacheMs: minuteMs } as const;
export const quarter = { cacheMs: 15 * minuteMs } as const;
export const hour = { cacheMs: 60 * minuteMs } as const;

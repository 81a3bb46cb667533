const minuteMs = 60_000;

/** How long answers are kept that hardly ever change. */
export const minute = { cacheMs: minuteMs } as const;
export const quarter = { cacheMs: 15 * minuteMs } as const;
export const hour = { cacheMs: 60 * minuteMs } as const;

import type { Result } from "@capstan/runtime";

/** Comes back after a time, or with the next event. */
export const after = (requeueAfterMs: number | undefined): Result =>
  requeueAfterMs === undefined ? {} : { requeueAfterMs };

/** Comes back after this time at the latest. */
export const within = (ms: number, { requeueAfterMs }: Result): Result => ({
  requeueAfterMs: Math.min(requeueAfterMs ?? Number.POSITIVE_INFINITY, ms),
});

/** Comes back as is due, or earlier where that is asked for. */
export const sooner = (asked: { readonly requeueAfterMs: number } | undefined, due: Result): Result =>
  asked === undefined ? due : within(asked.requeueAfterMs, due);

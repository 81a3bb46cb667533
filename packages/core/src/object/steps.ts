import type { Result } from "@capstan/runtime";

/** The earliest of several requeues. */
export const sooner = (...results: readonly (Result | void)[]): Result => {
  const waits = results.flatMap((result) => result?.requeueAfterMs ?? []);
  return waits.length === 0 ? {} : { requeueAfterMs: Math.max(0, Math.min(...waits)) };
};

export interface StepsOutcome {
  readonly result: Result;
  readonly errors: readonly unknown[];
}

/** Runs every step in order, also after one failed: what one cannot do, the others still should. */
export const runSteps = async (
  steps: readonly (() => Promise<Result>)[],
  signal: AbortSignal,
): Promise<StepsOutcome> => {
  const results: Result[] = [];
  const errors: unknown[] = [];
  for (const step of steps) {
    signal.throwIfAborted();
    try {
      results.push(await step());
    } catch (error) {
      signal.throwIfAborted();
      errors.push(error);
    }
  }
  return { result: sooner(...results), errors };
};

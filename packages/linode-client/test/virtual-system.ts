import type { System } from "../src/index.ts";

/** Time that passes only while someone sleeps. */
export const virtualSystem = (random = 0): System & { readonly sleeps: number[] } => {
  let now = Date.UTC(2026, 0, 1);
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => now,
    random: () => random,
    sleep: async (ms, options) => {
      options?.signal?.throwIfAborted();
      sleeps.push(ms);
      now += ms;
      await Promise.resolve();
    },
  };
};

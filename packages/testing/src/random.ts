import type { Random } from "@capstan/contract";

/** The same numbers and bytes on every run: for tests only, never for keys that matter. */
export const seededRandom = (seed = 1): Random => {
  let state = seed >>> 0;
  // mulberry32: 32 bits of state, full period, good enough to spread test data.
  const next32 = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return {
    next: () => next32() / 2 ** 32,
    bytes: (length) => Uint8Array.from({ length }, () => next32() >>> 24),
  };
};

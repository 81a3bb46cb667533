import type { Random } from "@capstan/contract";

const poolSize = 4_096;

/** The same randomness, drawn in larger portions: identifiers are made for every request. */
export const pooledRandom = (random: Random): Random => {
  let pool: Uint8Array = new Uint8Array(0);
  let used = 0;
  return {
    next: () => random.next(),
    bytes: (length) => {
      if (length > poolSize / 16) {
        return random.bytes(length);
      }
      if (used + length > pool.length) {
        pool = random.bytes(poolSize);
        used = 0;
      }
      used += length;
      return pool.slice(used - length, used);
    },
  };
};

import type { Random } from "@capstan/contract";

/** Random choices for one request. */
export interface Dice {
  /** A whole number below `limit`. */
  below(limit: number): number;
  /** True once in so many times. */
  oneIn(times: number): boolean;
  /** As `oneIn`, for what should not be so: never in half of the requests, which are to get far. */
  odd(times: number): boolean;
  pick<T>(choices: readonly T[]): T;
  bytes(length: number): Uint8Array;
}

export const diceOf = (random: Random): Dice => {
  const below = (limit: number): number => Math.floor(random.next() * limit);
  const isTame = random.next() < 0.5;
  return {
    below,
    odd: (times) => !isTame && below(times) === 0,
    oneIn: (times) => below(times) === 0,
    pick: <T>(choices: readonly T[]) => choices[below(choices.length)] as T,
    bytes: (length) => random.bytes(length),
  };
};

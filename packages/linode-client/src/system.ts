import { randomInt } from "node:crypto";
import { scheduler } from "node:timers/promises";

/** The clock and randomness of the client; tests replace them. */
export interface System {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Rejects with the signal's reason when aborted. */
  sleep(ms: number, options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** In [0, 1). */
  random(): number;
}

const steps = 2 ** 32;

/** The real clock: what a program that uses this client alone gets by default. */
export const realSystem: System = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: async (ms, options) => {
    try {
      await scheduler.wait(ms, options);
    } catch (error) {
      options?.signal?.throwIfAborted();
      throw error;
    }
  },
  random: () => randomInt(steps) / steps,
};

/** API times carry no zone and are UTC. Milliseconds since the epoch, NaN if it is not a time. */
export const parseLinodeTime = (time: string): number =>
  Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time}Z`);

import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Clock, Random } from "@capstan/contract";

/** Longest delay of one timer; Node fires longer ones at once. */
const maxTimerMs = 2 ** 31 - 1;

const schedule: Clock["schedule"] = (ms, callback) => {
  let timer: NodeJS.Timeout;
  const arm = (left: number): void => {
    const step = Math.min(left, maxTimerMs);
    timer = setTimeout(() => (left > step ? arm(left - step) : callback()), step);
  };
  arm(Math.max(0, ms));
  return () => clearTimeout(timer);
};

const sleep: Clock["sleep"] = async (ms, { signal } = {}) => {
  for (let left = ms; left > 0; left -= maxTimerMs) {
    try {
      await wait(Math.min(left, maxTimerMs), undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      // Node wraps the reason; callers expect the reason itself.
      throw signal?.aborted === true ? signal.reason : error;
    }
  }
};

/** Real time. */
export const systemClock: Clock = Object.freeze({ now: () => Date.now(), sleep, schedule });

/** Real randomness, fit for keys and tokens. */
export const cryptoRandom: Random = Object.freeze({
  next: () => randomBytes(6).readUIntBE(0, 6) / 2 ** 48,
  bytes: (length: number) => new Uint8Array(randomBytes(length)),
});

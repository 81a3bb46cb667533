import { setImmediate as nextTurn, setTimeout as realPause } from "node:timers/promises";
import type { Clock } from "@capstan/contract";

/** A clock that moves only when a test says so. Timers run in order of their due time, then of their creation. */
export interface FakeClock extends Clock {
  /** Timers and sleeps that are not due yet. */
  readonly pending: number;
  /** Runs every timer that falls due within `ms`, letting promises settle after each, and ends exactly `ms` later. */
  advance(ms: number): Promise<void>;
  /**
   * For tests with real sockets or worker threads: moves time in steps until the condition holds, and gives real I/O
   * about a millisecond between two steps. Throws, naming the condition, when it does not hold in time.
   */
  advanceUntil(condition: () => boolean | Promise<boolean>, options?: AdvanceOptions): Promise<void>;
  /** Lets promises and ready I/O run without moving time. */
  settle(): Promise<void>;
}

export interface AdvanceOptions {
  /**
   * Virtual time to give up after, for a condition that has to hold by then. Default: 600 000, and not before the clock's patience is at
   * an end, so that a slow machine only makes the test slow.
   */
  readonly maxMs?: number;
  /** Virtual time per step. Default: 250; less with a short `maxMs`, of which real I/O is not to take a part that counts. */
  readonly stepMs?: number;
}

export interface FakeClockOptions {
  /** Where it starts, in milliseconds since the epoch. Default 2026-01-01T00:00:00Z. */
  readonly now?: number;
  /** Real milliseconds for which a condition without a limit of its own is waited for at least. Default 120 000. */
  readonly patienceMs?: number;
}

const usualLimitMs = 600_000;
const usualStepMs = 250;
/** Steps that a limit has at least. */
const leastSteps = 1200;

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

const earlier = (a: Timer, b: Timer): number => a.at - b.at || a.order - b.order;

const settle = async (): Promise<void> => {
  await nextTurn();
  await nextTurn();
};

/** Rejects with the signal's reason and cancels the timer when the signal is aborted first. */
const sleepWith =
  (schedule: Clock["schedule"]): Clock["sleep"] =>
  (ms, { signal } = {}) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason as Error);
        return;
      }
      const abort = (): void => {
        cancel();
        reject(signal?.reason as Error);
      };
      const cancel = schedule(ms, () => {
        signal?.removeEventListener("abort", abort);
        resolve();
      });
      signal?.addEventListener("abort", abort, { once: true });
    });

/** A clock for tests. */
export const fakeClock = (options: FakeClockOptions = {}): FakeClock => {
  const { patienceMs = 120_000 } = options;
  let now = options.now ?? Date.UTC(2026, 0, 1);
  let created = 0;
  const timers: Timer[] = [];

  const schedule: Clock["schedule"] = (ms, run) => {
    const timer: Timer = { at: now + Math.max(0, ms), order: created++, run };
    const index = timers.findIndex((other) => earlier(timer, other) < 0);
    timers.splice(index === -1 ? timers.length : index, 0, timer);
    return () => {
      const found = timers.indexOf(timer);
      if (found !== -1) timers.splice(found, 1);
    };
  };

  const advance: FakeClock["advance"] = async (ms) => {
    const end = now + ms;
    await settle();
    for (let timer = timers[0]; timer !== undefined && timer.at <= end; timer = timers[0]) {
      timers.shift();
      now = Math.max(now, timer.at);
      timer.run();
      await settle();
    }
    now = Math.max(now, end);
    await settle();
  };

  const advanceUntil: FakeClock["advanceUntil"] = async (condition, { maxMs, stepMs } = {}) => {
    const end = now + (maxMs ?? usualLimitMs);
    const patientUntil = maxMs === undefined ? performance.now() + patienceMs : 0;
    const usualStep = stepMs ?? Math.min(usualStepMs, (maxMs ?? usualLimitMs) / leastSteps);
    const start = now;
    for (;;) {
      const held = condition();
      if (await held) return;
      if (now >= end && performance.now() >= patientUntil) {
        throw new Error(`still not true after ${now - start} ms of virtual time: ${condition.toString()}`);
      }
      await realPause(1);
      // What has to be asked for is asked for once in a step: most of a test's requests would be such questions.
      if (typeof held === "boolean" && (await condition())) return;
      await advance(maxMs === undefined ? usualStep : Math.min(usualStep, end - now));
    }
  };

  return {
    now: () => now,
    sleep: sleepWith(schedule),
    schedule,
    advance,
    advanceUntil,
    settle,
    get pending() {
      return timers.length;
    },
  };
};

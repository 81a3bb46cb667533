import { expect, it } from "vitest";
import { rateLimiter, type ThrottleClock } from "./rate-limit.ts";

/** A clock that notes how long it was asked to sleep, and sleeps no time at all. */
const notingClock = (): ThrottleClock & { time: number; readonly waits: number[] } => ({
  time: 1_000_000,
  waits: [],
  now() {
    return this.time;
  },
  sleep(ms, { signal } = {}) {
    this.waits.push(ms);
    return signal?.aborted === true ? Promise.reject(signal.reason) : Promise.resolve();
  },
});

it("lets a burst pass, and then one call per spacing", async () => {
  const clock = notingClock();
  const throttle = rateLimiter({ perSecond: 10, burst: 2 }, clock);
  for (let call = 0; call < 4; call++) await throttle({});
  expect(clock.waits).toEqual([100, 200]);
});

it("fills up again to a burst and no further", async () => {
  const clock = notingClock();
  const throttle = rateLimiter({ perSecond: 10, burst: 2 }, clock);
  for (let call = 0; call < 3; call++) await throttle({});
  clock.time += 60_000;
  for (let call = 0; call < 3; call++) await throttle({});
  expect(clock.waits).toEqual([100, 100]);
});

it("lets a waiting caller give up, whose call stays counted", async () => {
  const clock = notingClock();
  const throttle = rateLimiter({ perSecond: 10, burst: 1 }, clock);
  await throttle({});
  await expect(throttle({ signal: AbortSignal.abort(new Error("given up")) })).rejects.toThrow("given up");
  await throttle({});
  expect(clock.waits).toEqual([100, 200]);
});

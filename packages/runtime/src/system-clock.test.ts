import { expect, it } from "vitest";
import { cryptoRandom, systemClock } from "./system-clock.ts";

// The one place where real time is the subject.
it("sleeps and schedules on real timers, and gives up with the caller's reason", async () => {
  const before = systemClock.now();
  await systemClock.sleep(1);
  expect(systemClock.now()).toBeGreaterThanOrEqual(before);
  await new Promise<void>((resolve) => {
    systemClock.schedule(0, resolve);
  });
  const reason = new Error("enough");
  await expect(systemClock.sleep(60_000, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const late = new AbortController();
  const sleeping = systemClock.sleep(60_000, { signal: late.signal });
  late.abort(reason);
  await expect(sleeping).rejects.toBe(reason);
});

it("does not fire at once what lies further ahead than one timer can wait", async () => {
  let fired = 0;
  const cancel = systemClock.schedule(2 ** 31 + 1_000, () => (fired += 1));
  await systemClock.sleep(5);
  cancel();
  expect(fired).toBe(0);
});

it("draws numbers in range and bytes that differ", () => {
  for (let draw = 0; draw < 100; draw++) {
    const number = cryptoRandom.next();
    expect(number).toBeGreaterThanOrEqual(0);
    expect(number).toBeLessThan(1);
  }
  expect(cryptoRandom.bytes(16)).not.toEqual(cryptoRandom.bytes(16));
});

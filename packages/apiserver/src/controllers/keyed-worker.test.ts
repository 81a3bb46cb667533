import { silentLogger } from "@capstan/contract";
import { fakeClock } from "@capstan/testing";
import { describe, expect, it } from "vitest";
import { ExpiryTimers } from "./expiry-timers.ts";
import { KeyedWorker } from "./keyed-worker.ts";

const workerWith = (reconcile: (key: string) => Promise<void>) => {
  const clock = fakeClock();
  return { clock, worker: new KeyedWorker({ name: "test", clock, log: silentLogger, reconcile }) };
};

describe("a keyed worker", () => {
  it("runs a key once for several additions, and once more for one made meanwhile", async () => {
    const runs: string[] = [];
    const { worker } = workerWith(async (key) => {
      runs.push(key);
      if (runs.length === 1) worker.add(key);
    });
    for (const key of ["a", "a", "a"]) worker.add(key);
    await worker.idle();
    expect(runs).toEqual(["a", "a"]);
  });

  it("runs different keys side by side, and one key never twice at a time", async () => {
    let active = 0;
    let most = 0;
    const gate = Promise.withResolvers<void>();
    const { worker } = workerWith(async () => {
      most = Math.max(most, ++active);
      await gate.promise;
      active--;
    });
    for (const key of ["a", "b", "a"]) worker.add(key);
    await Promise.resolve();
    gate.resolve();
    await worker.idle();
    expect(most).toBe(2);
  });

  it("is done with a key once nothing runs for it, whatever else does", async () => {
    const gates = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() };
    const ended: string[] = [];
    const { worker } = workerWith(async (key) => {
      await gates[key as "a" | "b"].promise;
      ended.push(key);
    });
    for (const key of ["a", "b"]) worker.add(key);
    gates.a.resolve();
    await worker.done("a");
    await worker.done("never added");
    expect(ended).toEqual(["a"]);
    gates.b.resolve();
    await worker.stop();
  });

  it("tries again after growing pauses until it succeeds", async () => {
    const times: number[] = [];
    const { worker, clock } = workerWith(async () => {
      times.push(clock.now());
      if (times.length < 4) throw new Error("not yet");
    });
    const start = clock.now();
    worker.add("a");
    await clock.advance(60_000);
    expect(times.map((time) => time - start)).toEqual([0, 5, 15, 35]);
    expect(clock.pending).toBe(0);
  });

  it("stops: what runs ends, nothing is tried again or started", async () => {
    let runs = 0;
    const { worker, clock } = workerWith(() => {
      runs++;
      return Promise.reject(new Error("always"));
    });
    worker.add("a");
    await worker.stop();
    worker.add("a");
    await clock.advance(60_000);
    expect(runs).toBe(1);
    expect(clock.pending).toBe(0);
  });
});

describe("expiry timers", () => {
  it("expire at their time, the latest setting counts", async () => {
    const clock = fakeClock();
    const expired: string[] = [];
    const timers = new ExpiryTimers(clock, (key) => expired.push(key));
    timers.set("a", clock.now() + 10);
    timers.set("b", clock.now() + 20);
    timers.set("a", clock.now() + 30);
    timers.set("c", clock.now() + 5);
    timers.clear("c");
    await clock.advance(25);
    expect(expired).toEqual(["b"]);
    await clock.advance(5);
    expect(expired).toEqual(["b", "a"]);
  });

  it("wait longer than one timer can", async () => {
    const clock = fakeClock();
    const expired: string[] = [];
    const timers = new ExpiryTimers(clock, (key) => expired.push(key));
    const days = 24 * 3_600_000;
    timers.set("a", clock.now() + 60 * days);
    await clock.advance(59 * days);
    expect(expired).toEqual([]);
    await clock.advance(days);
    expect(expired).toEqual(["a"]);
  });
});

import { describe, expect, it } from "vitest";
import { fakeClock } from "./clock.ts";

describe("fakeClock", () => {
  it("runs due timers in order of time, then of creation, and stops exactly at the end", async () => {
    const clock = fakeClock({ now: 1000 });
    const seen: string[] = [];
    clock.schedule(30, () => seen.push(`late ${clock.now()}`));
    clock.schedule(10, () => seen.push(`first ${clock.now()}`));
    clock.schedule(10, () => seen.push(`second ${clock.now()}`));
    clock.schedule(31, () => seen.push("never"));
    await clock.advance(30);
    expect(seen).toEqual(["first 1010", "second 1010", "late 1030"]);
    expect(clock.now()).toBe(1030);
    expect(clock.pending).toBe(1);
  });

  it("runs timers that timers create, after their promises have settled", async () => {
    const clock = fakeClock({ now: 0 });
    const seen: number[] = [];
    const loop = async (): Promise<void> => {
      for (let turn = 0; turn < 3; turn++) {
        await clock.sleep(10);
        seen.push(clock.now());
      }
    };
    const done = loop();
    await clock.advance(100);
    await done;
    expect(seen).toEqual([10, 20, 30]);
  });

  it("never goes back, whoever moves it beside another", async () => {
    const clock = fakeClock({ now: 0 });
    await Promise.all([clock.advance(100), clock.advance(10)]);
    expect(clock.now()).toBe(100);
  });

  it("cancels timers and sleeps", async () => {
    const clock = fakeClock();
    const seen: string[] = [];
    clock.schedule(10, () => seen.push("ran"))();
    const abort = new AbortController();
    const sleeping = clock.sleep(10, { signal: abort.signal });
    abort.abort(new Error("enough"));
    await expect(sleeping).rejects.toThrow("enough");
    await expect(clock.sleep(10, { signal: abort.signal })).rejects.toThrow("enough");
    expect(clock.pending).toBe(0);
    await clock.advance(20);
    expect(seen).toEqual([]);
  });

  it("advances until a condition holds, and gives up after the limit", async () => {
    const clock = fakeClock({ now: 0 });
    let ready = false;
    clock.schedule(990, () => {
      ready = true;
    });
    await clock.advanceUntil(() => ready);
    expect(clock.now()).toBe(1000);
    await expect(clock.advanceUntil(() => clock.now() < 0, { maxMs: 300, stepMs: 200 })).rejects.toThrow("300 ms");
    expect(clock.now()).toBe(1300);
  });

  it("gives up on its own only after ten minutes, and not before its patience is at an end", async () => {
    const stepMs = 100_000;
    const hasty = fakeClock({ now: 0, patienceMs: 0 });
    await expect(hasty.advanceUntil(() => false, { stepMs })).rejects.toThrow("600000 ms");
    const patient = fakeClock({ now: 0 });
    await patient.advanceUntil(() => patient.now() > 2_000_000, { stepMs });
    expect(patient.now()).toBe(2_100_000);
  });

  it("takes small steps towards a near limit", async () => {
    const clock = fakeClock({ now: 0 });
    let looks = 0;
    const look = (): boolean => {
      looks += 1;
      return false;
    };
    await expect(clock.advanceUntil(look, { maxMs: 120 })).rejects.toThrow("120 ms");
    expect(looks).toBeGreaterThan(1000);
  });
});

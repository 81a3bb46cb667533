import type { FakeClock } from "@capstan/testing";
import { fakeClock } from "@capstan/testing";
import { expect, it } from "vitest";
import type { GatedCall, RateGateOptions, RatePass } from "./rate-gate.ts";
import { RateGate } from "./rate-gate.ts";
import { Turn } from "./turn.ts";

const setUp = (options: Partial<RateGateOptions> = {}) => {
  const clock = fakeClock();
  const gate = new RateGate({
    clock,
    rules: { reads: { burst: 4, perSecond: 1 }, writes: { burst: 2, perSecond: 1 } },
    refusal: (counted, ms) => new Error(`${counted} are held for ${ms} ms`),
    ...options,
  });
  const admitted: string[] = [];
  const passes = new Map<string, RatePass>();
  /** Asks for a call, and notes under its name when it may be made; it is answered at once unless it is kept. */
  const ask = async (name: string, call: Partial<GatedCall> = {}, keep = false): Promise<void> => {
    const pass = await gate.admit({ counts: ["reads"], writes: false, ...call });
    admitted.push(name);
    if (keep) passes.set(name, pass);
    else pass.answered();
  };
  return { admitted, ask, clock, gate, passes };
};

const turn = (flow: string, more: Partial<ConstructorParameters<typeof Turn>[0]> = {}): Turn =>
  new Turn({ flow, key: `${flow}-${Math.random()}`, of: "machine", ...more });

/** Empties the limit on reads. */
const drain = async ({ ask, admitted, clock }: ReturnType<typeof setUp>): Promise<void> => {
  for (let call = 0; call < 4; call += 1) void ask("burst");
  await clock.settle();
  admitted.splice(0);
};

const orderIn = async (clock: FakeClock, admitted: readonly string[], count: number): Promise<readonly string[]> => {
  for (let second = 0; second < 60 && admitted.length < count; second += 1) await clock.advance(1000);
  return admitted;
};

it("lets a burst pass, and then so many a second", async () => {
  const { admitted, ask, clock } = setUp();
  for (let call = 0; call < 6; call += 1) void ask(String(call));
  await clock.settle();
  expect(admitted).toEqual(["0", "1", "2", "3"]);
  await clock.advance(999);
  expect(admitted).toHaveLength(4);
  await clock.advance(1001);
  expect(admitted).toEqual(["0", "1", "2", "3", "4", "5"]);
});

it("serves flows in turn, however many calls one of them wants to make", async () => {
  const scene = setUp();
  await drain(scene);
  const { admitted, ask, clock } = scene;
  for (let call = 0; call < 4; call += 1) void ask(`large ${call}`, { turn: turn("large") });
  void ask("small 0", { turn: turn("small") });
  void ask("small 1", { turn: turn("small") });
  expect(await orderIn(clock, admitted, 6)).toEqual(["large 0", "small 0", "large 1", "small 1", "large 2", "large 3"]);
});

it("lets writes go before looks, and idle looks last, but not never", async () => {
  const scene = setUp();
  await drain(scene);
  const { admitted, ask, clock } = scene;
  void ask("idle", { turn: turn("a", { idle: true }) });
  void ask("look", { turn: turn("b") });
  void ask("write", { writes: true, turn: turn("c") });
  expect(await orderIn(clock, admitted, 3)).toEqual(["write", "look", "idle"]);
  for (let call = 0; call < 30; call += 1) void ask(`look ${call}`, { turn: turn(`flow ${call}`) });
  void ask("idle", { turn: turn("a", { idle: true }) });
  await orderIn(clock, admitted, 3 + 20);
  expect(admitted).toContain("idle");
});

it("lets a look that has begun end before another one begins", async () => {
  const scene = setUp();
  const { admitted, ask, clock } = scene;
  const teacher = turn("a");
  for (let call = 0; call < 3; call += 1) await ask("learned", { turn: teacher });
  teacher.end();
  await clock.advance(60_000);
  admitted.splice(0);
  const [first, second] = [turn("a"), turn("b")];
  await ask("a1", { turn: first });
  // Three of four calls are left, and the first look is expected to take two of them.
  void ask("b1", { turn: second });
  await clock.settle();
  expect(admitted).toEqual(["a1"]);
  await ask("a2", { turn: first });
  expect(admitted).toEqual(["a1", "a2"]);
  // It takes less than others did: what was kept for it is free.
  first.end();
  await clock.settle();
  expect(admitted).toEqual(["a1", "a2", "b1"]);
});

it("goes by what answers say is left", async () => {
  const { admitted, ask, clock, gate, passes } = setUp();
  await ask("first", {}, true);
  passes.get("first")?.answered({ left: { reads: { remaining: 1 } } });
  void ask("second");
  void ask("third");
  await clock.settle();
  expect(admitted).toEqual(["first", "second"]);
  await clock.advance(1000);
  expect(admitted).toEqual(["first", "second", "third"]);
  const pass = await gate.admit({ counts: ["writes"], writes: true });
  pass.answered({ left: { writes: { remaining: 5000 } } });
  for (let call = 0; call < 100; call += 1) void ask("many", { counts: ["writes"], writes: true });
  await clock.settle();
  expect(admitted.filter((name) => name === "many")).toHaveLength(100);
});

it("opens again with one call after a refusal, and doubles", async () => {
  const { admitted, ask, clock, gate, passes } = setUp({ rules: { reads: { burst: 100, perSecond: 100 } } });
  const pass = await gate.admit({ counts: ["reads"], writes: false });
  pass.refused(["reads"], 2000);
  for (let call = 0; call < 8; call += 1) void ask(String(call), {}, true);
  await clock.advance(1999);
  expect(admitted).toEqual([]);
  await clock.advance(1000);
  expect(admitted).toEqual(["0"]);
  passes.get("0")?.answered();
  await clock.settle();
  expect(admitted).toEqual(["0", "1", "2"]);
  passes.get("1")?.answered();
  passes.get("2")?.answered();
  await clock.settle();
  expect(admitted).toHaveLength(8);
});

it("sends away who would be held for long, and lets flows come back in turn", async () => {
  const windows = { creations: { burst: 2, windowMs: 15_000 } };
  const { ask, clock, gate } = setUp({ rules: windows });
  const creation = (flow: string) => ({ counts: ["creations"], writes: true, turn: turn(flow) });
  await ask("a", creation("a"));
  await ask("b", creation("a"));
  const waits: string[] = [];
  for (const flow of ["a", "a", "a", "b"]) {
    const said = await gate.admit(creation(flow)).catch((error: unknown) => (error as Error).message);
    waits.push(said as string);
  }
  expect(waits).toEqual([
    "creations are held for 15000 ms",
    "creations are held for 15000 ms",
    "creations are held for 30000 ms",
    "creations are held for 15000 ms",
  ]);
  await clock.advance(15_000);
  await ask("c", creation("b"));
});

it("keeps windows as answers tell them, and lets the first call go alone", async () => {
  const { admitted, ask, clock, passes } = setUp({ rules: {}, firstAlone: true });
  for (let call = 0; call < 4; call += 1) void ask(String(call), { counts: ["POST servers"], writes: true }, true);
  await clock.settle();
  expect(admitted).toEqual(["0"]);
  const resetAt = clock.now() + 3000;
  passes.get("0")?.answered({ left: { "POST servers": { remaining: 1, limit: 2, resetAt } } });
  await clock.settle();
  expect(admitted).toEqual(["0", "1"]);
  passes.get("1")?.answered({ left: { "POST servers": { remaining: 0, limit: 2, resetAt } } });
  await clock.advance(3999);
  expect(admitted).toEqual(["0", "1"]);
  await clock.advance(1);
  expect(admitted).toEqual(["0", "1", "2", "3"]);
});

it("lets who waits give up, and gives its place to the next", async () => {
  const scene = setUp();
  await drain(scene);
  const { ask, admitted, clock } = scene;
  const end = new AbortController();
  const given = ask("given up", { signal: end.signal });
  void ask("next");
  end.abort(new Error("given up"));
  await expect(given).rejects.toThrow("given up");
  await clock.advance(1000);
  expect(admitted).toEqual(["next"]);
});

it("holds calls for ten minutes at most, whatever an answer asks for", async () => {
  const { ask, admitted, clock, gate } = setUp();
  const day = 86_400_000;
  (await gate.admit({ counts: ["reads"], writes: false })).refused(["reads"], day);
  (await gate.admit({ counts: ["plans"], writes: false })).answered({
    left: { plans: { limit: 1, remaining: 0, resetAt: clock.now() + day } },
  });
  await expect(ask("early")).rejects.toThrow("reads are held for 600000 ms");
  await expect(ask("early", { counts: ["plans"] })).rejects.toThrow("plans are held for 600000 ms");
  await clock.advance(600_000);
  await ask("read");
  await ask("plan", { counts: ["plans"] });
  expect(admitted).toEqual(["read", "plan"]);
});

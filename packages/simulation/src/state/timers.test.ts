import { silentLogger } from "@capstan/contract";
import { type FakeClock, fakeClock } from "@capstan/testing";
import { expect, it } from "vitest";
import type { StoredTimer } from "./simulated-state.ts";
import { Timers } from "./timers.ts";

interface Setting {
  readonly clock: FakeClock;
  readonly state: { timers: StoredTimer[] };
  readonly happened: string[];
  readonly saved: () => number;
  readonly create: () => Timers;
}

const setting = (): Setting => {
  const clock = fakeClock();
  const state = { timers: [] };
  const happened: string[] = [];
  let saves = 0;
  const save = (): Promise<void> => {
    saves += 1;
    return Promise.resolve();
  };
  const create = (): Timers => {
    const timers = new Timers({ clock, log: silentLogger, state, save });
    timers.define("ripen", (key) => void happened.push(key));
    return timers;
  };
  return { clock, state, happened, saved: () => saves, create };
};

it("lets things happen at their time, and saves then", async () => {
  const { clock, state, happened, saved, create } = setting();
  const timers = create();
  timers.start();
  timers.set("apple", "ripen", 100);
  timers.set("pear", "ripen", 200);
  expect(timers.has("apple")).toBe(true);
  await clock.advance(100);
  expect(happened).toEqual(["apple"]);
  expect(saved()).toBe(1);
  expect(state.timers).toMatchObject([{ key: "pear" }]);
  await clock.advance(100);
  expect(happened).toEqual(["apple", "pear"]);
});

it("has one timer for a key", async () => {
  const { clock, happened, create } = setting();
  const timers = create();
  timers.start();
  timers.set("apple", "ripen", 100);
  timers.set("apple", "ripen", 300);
  await clock.advance(200);
  expect(happened).toEqual([]);
  await clock.advance(100);
  expect(happened).toEqual(["apple"]);
  timers.set("apple", "ripen", 100);
  timers.cancel("apple");
  await clock.advance(100);
  expect(happened).toEqual(["apple"]);
});

it("goes on after a restart where it was: what is overdue happens at once", async () => {
  const { clock, state, happened, create } = setting();
  const first = create();
  first.start();
  first.set("apple", "ripen", 100);
  first.set("pear", "ripen", 1000);
  first.stop();
  await clock.advance(500);
  expect(happened).toEqual([]);
  const second = create();
  second.start();
  await clock.advance(0);
  expect(happened).toEqual(["apple"]);
  await clock.advance(500);
  expect(happened).toEqual(["apple", "pear"]);
  expect(state.timers).toEqual([]);
});

it("knows its tasks", () => {
  const timers = setting().create();
  expect(() => timers.set("apple", "rot", 1)).toThrow("rot is not defined");
  expect(() => timers.define("ripen", () => undefined)).toThrow("defined twice");
});

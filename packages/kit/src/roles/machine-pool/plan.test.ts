import { describe, expect, it } from "vitest";
import type { PlannedMember, PoolStrategy } from "./plan.ts";
import { planPool } from "./plan.ts";

const member = (name: string, more: Partial<PlannedMember> = {}): PlannedMember => ({
  name,
  available: true,
  leaving: false,
  upToDate: true,
  marked: false,
  createdAt: Number(name.slice(1)),
  ...more,
});

const old = { upToDate: false };
const surge: PoolStrategy = { maxSurge: 1, maxUnavailable: 0 };

const plan = (replicas: number, members: readonly PlannedMember[], strategy: PoolStrategy = surge, capacity?: number) =>
  planPool({ replicas, members, strategy, capacity: capacity ?? members.length });

describe("the plan of a pool", () => {
  it("grows at once", () => {
    expect(plan(3, [member("m1")])).toEqual({ capacity: 3, remove: [] });
  });

  it("asks for nothing more while what it asked for is still to come", () => {
    expect(plan(3, [member("m1")], surge, 3)).toEqual({ capacity: 3, remove: [] });
  });

  it("never asks for fewer than there are: a surplus is deleted one by one", () => {
    expect(plan(1, [member("m1"), member("m2"), member("m3")])).toEqual({ capacity: 3, remove: ["m1", "m2"] });
  });

  it("counts what is on its way out beside the machines that are wanted", () => {
    const members = [member("m1", { leaving: true }), member("m2")];
    expect(plan(2, members)).toEqual({ capacity: 3, remove: [] });
    expect(plan(1, members)).toEqual({ capacity: 2, remove: [] });
  });

  it.each([
    ["Oldest", "m1"],
    ["Newest", "m3"],
  ] as const)("takes the %s first", (deletePolicy, first) => {
    const members = [member("m2"), member("m1"), member("m3")];
    expect(plan(2, members, { ...surge, deletePolicy }).remove).toEqual([first]);
  });

  it("takes what is marked first, then what is of an old template, then what serves nobody", () => {
    const members = [
      member("m1"),
      member("m2", { available: false }),
      member("m3", old),
      member("m4", { marked: true }),
    ];
    expect(plan(3, [...members.slice(0, 2), members[3]!, member("m5")]).remove).toEqual(["m4"]);
    expect(plan(0, members, { maxSurge: 0, maxUnavailable: 1 }).remove).toEqual(["m4", "m3", "m2", "m1"]);
  });

  it("makes one more before it takes an outdated one", () => {
    const members = [member("m1", old), member("m2", old)];
    expect(plan(2, members)).toEqual({ capacity: 3, remove: [] });
    expect(plan(2, [...members, member("m3", { available: false })])).toEqual({ capacity: 3, remove: [] });
    expect(plan(2, [...members, member("m3")])).toEqual({ capacity: 3, remove: ["m1"] });
    expect(plan(2, [{ ...members[0]!, leaving: true }, members[1]!, member("m3")])).toEqual({
      capacity: 4,
      remove: [],
    });
  });

  it("takes none that serves as surplus before what replaces it does", () => {
    const serving = [member("m1", old), member("m2", old), member("m3")];
    const coming = [member("m4", { available: false }), member("m5", { available: false })];
    expect(plan(3, [...serving, ...coming])).toEqual({ capacity: 5, remove: [] });
    expect(plan(3, [...serving, member("m4"), member("m5")]).remove).toEqual(["m1", "m2"]);
  });

  it("lets as many be missing as the strategy says", () => {
    const members = [member("m1", old), member("m2", old), member("m3", old), member("m4", old)];
    expect(plan(4, members, { maxSurge: 0, maxUnavailable: "50%" })).toEqual({ capacity: 4, remove: ["m1", "m2"] });
    expect(plan(4, members, { maxSurge: 0, maxUnavailable: 0 }).remove).toEqual(["m1"]);
  });

  it("replaces outdated ones that serve nobody at once", () => {
    const members = [member("m1", { ...old, available: false }), member("m2", old)];
    expect(plan(2, members).remove).toEqual(["m1"]);
  });
});

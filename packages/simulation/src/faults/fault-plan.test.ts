import { describe, expect, it } from "vitest";
import { FaultPlan } from "./fault-plan.ts";
import type { Fault, FaultAction } from "./fault.ts";

const reset = { kind: "reset" } as const;

const ask = (plan: FaultPlan, method: string, path: string, body?: unknown): FaultAction | undefined =>
  plan.next({ method, path, body: () => body });

describe("which requests", () => {
  const cases: readonly (readonly [fault: Omit<Fault, "action">, method: string, path: string, hit: boolean])[] = [
    [{}, "GET", "a/b", true],
    [{ method: "POST" }, "GET", "a/b", false],
    [{ path: "a/b" }, "GET", "a/b", true],
    [{ path: "/a/b" }, "GET", "a/b", true],
    [{ path: "a/b" }, "GET", "/a/b", true],
    [{ path: "a/*" }, "GET", "a/b", true],
    [{ path: "a/*" }, "GET", "a/b/c", false],
    [{ path: "a/**" }, "GET", "a/b/c", true],
    [{ path: "a.b" }, "GET", "axb", false],
    [{ path: /B$/i }, "GET", "a/b", true],
    [{ path: /^b/ }, "GET", "a/b", false],
  ];
  it.each(cases)("%j and %s %s: %j", (fault, method, path, hit) => {
    expect(ask(new FaultPlan([{ ...fault, action: reset }]), method, path) === reset).toBe(hit);
  });

  it.each([
    [{ name: "web" }, true],
    [{ disk: { gb: 1 } }, true],
    [{ tags: ["a", { b: 1 }] }, true],
    [{ name: "db" }, false],
    [{ disk: { gb: 2 } }, false],
    [{ tags: ["a"] }, false],
    [{ missing: true }, false],
  ])("whose body has %j: %j", (part, hit) => {
    const body = { name: "web", disk: { gb: 1, type: "ssd" }, tags: ["a", { b: 1 }] };
    expect(ask(new FaultPlan([{ body: part, action: reset }]), "POST", "servers", body) === reset).toBe(hit);
    expect(ask(new FaultPlan([{ body: part, action: reset }]), "POST", "servers")).toBeUndefined();
  });
});

const hits = (fault: Partial<Fault>): string => {
  const plan = new FaultPlan([{ ...fault, action: reset }]);
  return Array.from({ length: 5 }, () => (ask(plan, "GET", "a") === undefined ? "." : "x")).join("");
};

describe("how often", () => {
  it.each([
    [{}, "x...."],
    [{ nth: 3 }, "..x.."],
    [{ times: 2 }, "xx..."],
    [{ nth: 2, times: 2 }, ".xx.."],
    [{ times: Number.POSITIVE_INFINITY }, "xxxxx"],
  ])("%j", (fault, expected) => {
    expect(hits(fault)).toBe(expected);
  });

  it("the first fault due counts, and each is counted", () => {
    const plan = new FaultPlan([{ action: reset }, { nth: 2, action: { kind: "lost-answer" } }]);
    expect(ask(plan, "GET", "a")).toEqual(reset);
    expect(ask(plan, "GET", "a")).toEqual({ kind: "lost-answer" });
    expect(plan.pending()).toEqual([]);
  });

  it("until it is taken away", () => {
    const plan = new FaultPlan();
    const remove = plan.add({ action: reset, group: "one" });
    plan.add({ action: reset, group: "two" });
    remove();
    expect(plan.pending()).toMatchObject([{ group: "two" }]);
    plan.clear(({ group }) => group === "one");
    expect(plan.pending()).toHaveLength(1);
    plan.clear();
    expect(plan.pending()).toEqual([]);
  });
});

it("faults of operations are for services that begin some", () => {
  const fault: Fault = { action: { kind: "operation-failed", code: "Broken" } };
  expect(() => new FaultPlan([fault])).toThrow(expect.objectContaining({ code: "simulation.fault_unsupported" }));
  expect(ask(new FaultPlan([fault], { operations: true }), "PUT", "a")).toEqual(fault.action);
});

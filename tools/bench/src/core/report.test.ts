import { describe, expect, it } from "vitest";
import type { Requests } from "./audit.ts";
import type { Figures } from "./figures.ts";
import { comparisonGoals, describeFigures, describeGoals, growthGoal, ownGoals, verdict } from "./report.ts";

const requests = (calls: Readonly<Record<string, number>>): Requests => ({
  calls: new Map(Object.entries(calls)),
  watches: 3,
  leases: 2,
});

const figures = (changes: Partial<Figures> = {}): Figures => ({
  contestant: "capstan",
  server: "embedded API server",
  shape: { clusters: 1, workers: 9 },
  startRequests: requests({ "create selfsubjectaccessreviews": 40 }),
  runningSeconds: 5,
  requests: requests({ "patch machines": 100, "get secrets": 20 }),
  cpuSeconds: { managers: 1, server: 2, standIn: 3 },
  queueWaits: new Map([["machine", new Map([[1, 100]])]]),
  settled: { seconds: 60, requests: requests({}), cpuSeconds: 0.1 },
  deleteSeconds: 2,
  deleteRequests: requests({ "delete machines": 10 }),
  peakMiB: 100,
  ...changes,
});

const byTitle = (goals: readonly { readonly title: string; readonly value: number }[]) =>
  Object.fromEntries(goals.map(({ title, value }) => [title, value]));

describe("goals", () => {
  it.each([
    { value: 0.5, limit: 0.5, words: "met" },
    { value: 0.75, limit: 0.5, words: "missed by 50.0 %" },
    { value: 0, limit: 0, words: "met" },
    { value: 3, limit: 0, words: "missed by 3.0" },
  ])("$value against $limit: $words", ({ value, limit, words }) => {
    expect(verdict({ title: "", value, limit })).toBe(words);
  });

  it("of a comparison are ratios", () => {
    const theirs = figures({
      runningSeconds: 20,
      requests: requests({ "patch machines": 480 }),
      peakMiB: 400,
      deleteSeconds: 4,
    });
    expect(byTitle(comparisonGoals(figures(), theirs))).toEqual({
      "time until all are Running": 0.25,
      "requests per Machine": 0.25,
      "peak memory": 0.25,
      "time to delete": 0.5,
      "writes when settled, in 60 s": 0,
    });
  });

  it("of its own are per Machine, and of many clusters more", () => {
    expect(byTitle(ownGoals(figures()))).toEqual({ "requests per Machine": 12, "writes when settled, in 60 s": 0 });
    const many = figures({ shape: { clusters: 100, workers: 9 } });
    expect(byTitle(ownGoals(many))).toMatchObject({
      "seconds until all are Running": 5,
      "writes per Machine": 0.1,
      "p95 of the longest queue wait, seconds": 0.95,
    });
  });

  it("of growth compare CPU per Machine", () => {
    const large = figures({ shape: { clusters: 1, workers: 99 }, cpuSeconds: { managers: 20, server: 0, standIn: 0 } });
    expect(growthGoal(figures(), large)).toEqual({
      title: "CPU per Machine, 100 against 10",
      value: 2,
      limit: 1.2,
    });
  });

  it("are printed with what they are missed by", () => {
    expect(describeGoals("goals", [{ title: "time", value: 0.6, limit: 0.5 }])).toBe(
      "goals\n  time     0.60  goal <= 0.5   missed by 20.0 %",
    );
  });
});

it("prints what one showed", () => {
  expect(describeFigures(figures())).toMatchInlineSnapshot(`
    "capstan, 1 x (1 + 9) = 10 Machines, on embedded API server
      to start: 40 requests, 3 watches begun, 2 about Leases
      all Running after 5.0 s, 2.0 Machines per second
      12.0 requests per Machine, 10.0 of them writes; besides 3 watches begun, 2 about Leases
        patch machines                                  10.0
        get secrets                                      2.0
      CPU-seconds per Machine: managers 0.10, API server 0.20, infrastructure and workload clusters 0.30
      peak memory of the managers 100 MiB
      p95 of the wait in queues, the longest: machine 0.95 s
      settled, in 60 s: 0 writes, 0 reads, 3 watches begun, 0.10 CPU-seconds
      deleted after 2.0 s; 1.0 requests per Machine, 1.0 of them writes
        delete machines                                  1.0"
  `);
});

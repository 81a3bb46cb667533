import { expect, it } from "vitest";
import type { Requests } from "../core/audit.ts";
import { verdict } from "../core/report.ts";
import type { ControlPlaneFigures, StageFigures } from "./measure.ts";
import { readControlPlaneOptions } from "./options.ts";
import { controlPlaneGoals, describeControlPlanes, settledGoals } from "./report.ts";

const requests = (calls: Readonly<Record<string, number>>): Requests => ({
  calls: new Map(Object.entries(calls)),
  watches: 0,
  leases: 0,
});

const figures = (contestant: string, factor: number, late = 0): ControlPlaneFigures => ({
  contestant,
  server: "a server",
  clusters: 2,
  members: 3,
  stages: (["created", "upgraded", "deleted"] as const).map((name): StageFigures => ({
    name,
    seconds: 10 * factor,
    requests: requests({ "get secrets": 4 * factor, "patch machines": 6 * factor }),
    cpuSeconds: 1,
  })),
  settled: { seconds: 60, requests: requests(late === 0 ? {} : { "patch machines": late }), cpuSeconds: 0 },
  peakMiB: 100,
});

it("says for each stage its time and its requests per cluster", () => {
  expect(describeControlPlanes(figures("ours", 1))).toContain(
    "  upgraded after 10.0 s; 5.0 requests per cluster, 3.0 of them writes",
  );
});

it("is held to a third of upstream's time and requests in each stage, and to no write when settled", () => {
  const goals = controlPlaneGoals(figures("ours", 1), figures("theirs", 4));
  expect(goals.map(({ title }) => title)).toEqual([
    "time until created",
    "requests until created",
    "time until upgraded",
    "requests until upgraded",
    "time until deleted",
    "requests until deleted",
  ]);
  expect(goals.map(verdict)).toEqual(goals.map(() => "met"));
  expect(controlPlaneGoals(figures("ours", 1), figures("theirs", 2)).map(verdict)).toEqual(
    goals.map(() => "missed by 50.0 %"),
  );
  expect(settledGoals(figures("ours", 1, 2)).map(verdict)).toEqual(["missed by 2.0"]);
});

it("refuses even numbers of members, and takes fifty clusters of three by default", () => {
  expect(readControlPlaneOptions([], {})).toMatchObject({ clusters: 50, members: 3 });
  expect(() => readControlPlaneOptions(["--members", "4"], {})).toThrow("--members 4: etcd takes odd numbers");
});

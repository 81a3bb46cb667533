import { expect, it } from "vitest";
import { total, writes } from "../src/core/audit.ts";
import { ours } from "../src/core/managers.ts";
import { measure } from "../src/core/measure.ts";
import { readOptions } from "../src/core/options.ts";

it("measures a small cluster from nothing to Running and to nothing, in real processes", async () => {
  const managers = ours(["core", "bootstrap-kubeadm"]);
  const shape = { clusters: 1, workers: 3 };
  const options = { ...readOptions(["3", "--settle", "1s", "--timeout", "2m"], {}), quietMs: 500 };
  const figures = await measure(managers, shape, options, {
    say: () => undefined,
    signal: new AbortController().signal,
  });
  const { calls } = figures.requests;
  expect(figures.runningSeconds).toBeGreaterThan(0);
  // One of each for every worker: what the managers make is counted, and what the bench makes is not.
  expect(calls.get("create machines") ?? calls.get("patch machines")).toBeGreaterThanOrEqual(3);
  expect(calls.get("create memorymachines")).toBe(3);
  expect(calls.get("create machinedeployments")).toBeUndefined();
  // That of the infrastructure is not counted either, which patches every status.
  expect(calls.get("patch memorymachines/status")).toBeUndefined();
  // The managers take their Leases at the start; a Lease that is renewed meanwhile is not among the calls either.
  const leases = figures.startRequests.leases + figures.requests.leases;
  expect(leases).toBeGreaterThan(0);
  expect([...figures.startRequests.calls.keys(), ...calls.keys()].filter((call) => /lease/.test(call))).toEqual([]);
  expect(figures.settled?.requests).toBeDefined();
  expect(writes(figures.deleteRequests)).toBeGreaterThanOrEqual(4);
  expect(total(figures.deleteRequests)).toBeGreaterThanOrEqual(writes(figures.deleteRequests));
  expect(figures.cpuSeconds.managers).toBeGreaterThan(0);
  expect(figures.cpuSeconds.standIn).toBeGreaterThan(0);
  expect(figures.peakMiB).toBeGreaterThan(30);
  expect(figures.queueWaits.has("machine")).toBe(true);
}, 300_000);

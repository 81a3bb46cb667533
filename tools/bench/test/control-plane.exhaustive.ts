import { expect, it } from "vitest";
import { total, writes } from "../src/core/audit.ts";
import { ours } from "../src/core/managers.ts";
import { measureControlPlanes } from "../src/control-plane/measure.ts";
import { readControlPlaneOptions } from "../src/control-plane/options.ts";

it("measures a control plane of three from nothing to its upgrade and to nothing, in real processes", async () => {
  const given = readControlPlaneOptions(["--clusters", "1", "--settle", "1s", "--timeout", "10m"], {});
  const managers = ours(["core", "bootstrap-kubeadm", "controlplane-kubeadm"]);
  const environment = { say: () => undefined, signal: new AbortController().signal };
  const figures = await measureControlPlanes(managers, { ...given, quietMs: 2000 }, environment);
  const [created, upgraded, deleted] = figures.stages;
  expect(figures.stages.map(({ name }) => name)).toEqual(["created", "upgraded", "deleted"]);
  for (const stage of [created, upgraded]) {
    // What the managers make is counted, and what the bench and the infrastructure make is not.
    expect(stage?.requests.calls.get("create memorymachines")).toBe(3);
    expect(stage?.requests.calls.get("create kubeadmcontrolplanes")).toBeUndefined();
    expect(stage?.requests.calls.get("patch memorymachines/status")).toBeUndefined();
    expect(stage?.seconds).toBeGreaterThan(0);
  }
  expect(deleted?.requests.calls.get("delete machines")).toBe(3);
  expect(total(upgraded!.requests)).toBeGreaterThan(writes(upgraded!.requests));
  expect(figures.settled?.requests).toBeDefined();
  expect(figures.peakMiB).toBeGreaterThan(30);
}, 900_000);

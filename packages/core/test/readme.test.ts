import { createCoreProvider } from "@capstan/core";
import { installWorkloadClusters, workloadClusters } from "@capstan/kit/workload";
import { connect } from "@capstan/kube";
import { createManager } from "@capstan/runtime";
import { fakeClock } from "@capstan/testing";
import { expect, it } from "vitest";

it("the README's quick start adds the controllers and the workload clusters they need", () => {
  const manager = createManager({ connection: connect({ url: "http://127.0.0.1:1", clock: fakeClock() }) });
  installWorkloadClusters(manager);
  createCoreProvider().register(manager);
  expect(manager.service(workloadClusters)).toBeDefined();
  expect(() => createCoreProvider().register(manager)).toThrow("added twice");
});

import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { afterAll, beforeAll, expect, it } from "vitest";
import { isReady, openScene, startEnvironment } from "./scene.ts";

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await startEnvironment();
});
afterAll(() => environment.stop());

const minute = 60_000;

it("a machine that takes long, and a Node that does not come, are asked about within the limits of Azure", async () => {
  const delays = { provisionMs: 2 * minute, bootMs: 3 * minute };
  await using scene = await openScene(environment, { rateLimitScale: 1, delays });
  await scene.managers.start();
  await scene.cluster();
  await scene.machine({ disableVMBootstrapExtension: false });
  await scene.machineIs(isReady);
  await environment.pass(20 * minute);
  const { log } = scene.cloud.simulator.requests;
  expect(log.filter(({ status }) => status === 429).map(({ family }) => family)).toEqual([]);
});

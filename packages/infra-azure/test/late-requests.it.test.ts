import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AzureMachine } from "../src/api.ts";
import { oneMachine } from "./machine-scene.ts";
import { startEnvironment } from "./scene.ts";

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await startEnvironment();
});
afterAll(() => environment.stop());

it.each([["publicIPAddresses"], ["networkInterfaces"], ["virtualMachines"]])(
  "what Azure makes of %s after the request was given up and the machine deleted does not stay",
  async (type) => {
    await using scene = await oneMachine(environment, { provider: { timeoutMs: 5000 } });
    const { faults, requests, state } = scene.cloud.simulator;
    const path = new RegExp(`/${type}/[^/]+$`, "i");
    faults.add({ method: "PUT", path, action: { kind: "delay", ms: 20_000 } });
    await scene.create({ allocatePublicIP: type === "publicIPAddresses" });
    const { uid } = (await scene.get()).metadata;
    const own = () => state.resources.filter(({ tags }) => tags?.["capstan-uid"] === uid);
    const isSent = () => faults.pending().length === 0;
    await scene.managers.start();
    await environment.until(isSent);
    await environment.client.delete(AzureMachine, scene.core.key("m"));
    await environment.eventually(AzureMachine, scene.core.key("m"), (found) => found === undefined, 3_600_000);
    await scene.pass(60_000);
    expect(requests.log.filter(({ method, path: asked }) => method === "PUT" && path.test(asked)).length).toBe(1);
    expect(own().map(({ id }) => id)).toEqual([]);
  },
);

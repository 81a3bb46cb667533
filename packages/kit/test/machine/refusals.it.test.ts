import { CapstanError } from "@capstan/contract";
import { conditionOf } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { ConformanceEnvironment, CorePart, SceneManagers } from "@capstan/testing/environment";
import { MemoryCloud, MemoryCluster, MemoryMachine, createMemoryProvider } from "@capstan/testing/infra-memory";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createCluster, createMachine } from "./memory-objects.ts";

const token = { token: Buffer.from("t0ken").toString("base64") };
const isReady = (object?: KubeObject): boolean =>
  object !== undefined && conditionOf(object, "Ready")?.status === "True";

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await ConformanceEnvironment.start([MemoryCluster, MemoryMachine]);
});
afterAll(() => environment.stop());

let core: CorePart;
let cloud: MemoryCloud;
let managers: SceneManagers;
beforeEach(async () => {
  core = new CorePart(environment.client, await environment.namespace());
  cloud = new MemoryCloud({ clock: environment.clock, bootMs: 2000, tokens: ["t0ken"] });
  managers = new SceneManagers(environment, { provider: () => createMemoryProvider(cloud) }, core.namespace);
});
afterEach(() => managers.stopAll());

const cluster = async (spec: object = {}): Promise<void> => {
  await core.createSecret("credentials", token);
  await createCluster(core, { credentialsRef: { name: "credentials" }, ...spec });
};

const machine = (name: string, data?: string): Promise<void> => createMachine(core, name, data);

const until = (name: string, test: (object?: KubeObject) => boolean) =>
  environment.eventually<KubeObject>(MemoryMachine, core.key(name), test);

describe("a refusal for good", () => {
  it("is not tried again, whatever else happens, until something it depends on is different", async () => {
    await cluster();
    const calls = (): number => cloud.calls.made.filter((operation) => operation === "create").length;
    const message = "the plan is not offered here";
    const error = new CapstanError({ code: "memory.plan", reason: "PlanUnknown", message, retry: { kind: "never" } });
    cloud.calls.disturb({ operation: "create", kind: "refuse", error, times: 100 });
    await managers.start();
    await environment.eventually<KubeObject>(MemoryCluster, core.key(core.clusterName), isReady);
    await machine("m");
    await until("m", (object) => object !== undefined && conditionOf(object, "Ready")?.reason === "PlanUnknown");
    expect(calls()).toBe(1);
    await environment.clock.advance(1_800_000);
    expect(calls()).toBe(1);
    const annotations = { "example.dev/try": "again" };
    await environment.client.patch(MemoryMachine, core.key("m"), {
      type: "merge",
      body: { metadata: { annotations } },
    });
    await environment.clock.advanceUntil(() => calls() === 2);
    await environment.clock.advance(60_000);
    expect(calls()).toBe(2);
  });
});

it("tries again after ten minutes, however long the cloud asks to wait, and says so", async () => {
  await cluster();
  const retry = { kind: "after", ms: 7_200_000 } as const;
  const error = new CapstanError({ code: "memory.busy", reason: "Busy", message: "maintenance", retry });
  await managers.start();
  await environment.eventually<KubeObject>(MemoryCluster, core.key(core.clusterName), isReady);
  cloud.calls.disturb({ operation: "create", kind: "refuse", error });
  await machine("m");
  const held = await until("m", (object) => object !== undefined && conditionOf(object, "Ready")?.reason === "Busy");
  const message = held === undefined ? "" : conditionOf(held, "Ready")?.message;
  expect(message).toBe("maintenance; it asks to wait 2 h, and is tried again after 10 min");
  const creations = (): number => cloud.calls.made.filter((call) => call === "create").length;
  await environment.pass(480_000);
  expect(creations()).toBe(1);
  await environment.pass(180_000);
  await until("m", isReady);
  expect(creations()).toBe(2);
});

import { CapstanError } from "@capstan/contract";
import { conditionOf } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { MemoryCluster, MemoryMachine } from "@capstan/testing/infra-memory";
import { describe, expect, it } from "vitest";
import { createCluster, createMachine } from "./memory-objects.ts";
import { memoryWorld } from "./memory-world.ts";

const token = { token: Buffer.from("t0ken").toString("base64") };
const isReady = (object?: KubeObject): boolean =>
  object !== undefined && conditionOf(object, "Ready")?.status === "True";

const world = memoryWorld({ cloud: { tokens: ["t0ken"] } });

const cluster = async (spec: object = {}): Promise<void> => {
  await world.core.createSecret("credentials", token);
  await createCluster(world.core, { credentialsRef: { name: "credentials" }, ...spec });
};

const machine = (name: string, data?: string): Promise<void> => createMachine(world.core, name, data);

const until = (name: string, test: (object?: KubeObject) => boolean) =>
  world.environment.eventually<KubeObject>(MemoryMachine, world.core.key(name), test);

describe("a refusal for good", () => {
  it("is not tried again, whatever else happens, until something it depends on is different", async () => {
    await cluster();
    const calls = (): number => world.cloud.calls.made.filter((operation) => operation === "create").length;
    const message = "the plan is not offered here";
    const error = new CapstanError({ code: "memory.plan", reason: "PlanUnknown", message, retry: { kind: "never" } });
    world.cloud.calls.disturb({ operation: "create", kind: "refuse", error, times: 100 });
    await world.managers.start();
    await world.environment.eventually<KubeObject>(MemoryCluster, world.core.key(world.core.clusterName), isReady);
    await machine("m");
    await until("m", (object) => object !== undefined && conditionOf(object, "Ready")?.reason === "PlanUnknown");
    expect(calls()).toBe(1);
    await world.environment.clock.advance(1_800_000);
    expect(calls()).toBe(1);
    const annotations = { "example.dev/try": "again" };
    await world.environment.client.patch(MemoryMachine, world.core.key("m"), {
      type: "merge",
      body: { metadata: { annotations } },
    });
    await world.environment.clock.advanceUntil(() => calls() === 2);
    await world.environment.clock.advance(60_000);
    expect(calls()).toBe(2);
  });
});

it("tries again after ten minutes, however long the cloud asks to wait, and says so", async () => {
  await cluster();
  const retry = { kind: "after", ms: 7_200_000 } as const;
  const error = new CapstanError({ code: "memory.busy", reason: "Busy", message: "maintenance", retry });
  await world.managers.start();
  await world.environment.eventually<KubeObject>(MemoryCluster, world.core.key(world.core.clusterName), isReady);
  world.cloud.calls.disturb({ operation: "create", kind: "refuse", error });
  await machine("m");
  const held = await until("m", (object) => object !== undefined && conditionOf(object, "Ready")?.reason === "Busy");
  const message = held === undefined ? "" : conditionOf(held, "Ready")?.message;
  expect(message).toBe("maintenance; it asks to wait 2 h; retrying after 10 min");
  const creations = (): number => world.cloud.calls.made.filter((call) => call === "create").length;
  await world.environment.pass(480_000);
  expect(creations()).toBe(1);
  await world.environment.pass(180_000);
  await until("m", isReady);
  expect(creations()).toBe(2);
});

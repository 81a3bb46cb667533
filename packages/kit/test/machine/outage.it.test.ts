import { conditionOf, MachineResource } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { MemoryMachine } from "@capstan/testing/infra-memory";
import { expect, it } from "vitest";
import { createCluster, createMachine } from "./memory-objects.ts";
import { memoryWorld } from "./memory-world.ts";

const isReady = (object?: KubeObject): boolean =>
  object !== undefined && conditionOf(object, "Ready")?.status === "True";

const world = memoryWorld();

const until = (name: string, test: (object?: KubeObject) => boolean) =>
  world.environment.eventually<KubeObject>(MemoryMachine, world.core.key(name), test);

it("keeps a machine ready through a call that fails by chance, without a write", async () => {
  await createCluster(world.core);
  await createMachine(world.core, "m");
  await world.managers.start();
  await until("m", isReady);
  await world.environment.pass(90_000);
  const before = await world.environment.client.get<KubeObject>(MemoryMachine, world.core.key("m"));
  world.cloud.calls.disturb({ operation: "list", kind: "refuse" });
  await world.environment.pass(200_000);
  const after = await world.environment.client.get<KubeObject>(MemoryMachine, world.core.key("m"));
  expect(isReady(after)).toBe(true);
  expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
});

it("says within one poll that a cloud is out of reach, and that it is back, with one write for each", async () => {
  await createCluster(world.core);
  const names = ["a", "b", "c", "d", "e"];
  for (const name of names) {
    await createMachine(world.core, name);
    await world.core.setStatus(MachineResource, name, "status.nodeRef", { name });
  }
  await world.managers.start();
  for (const name of names) await until(name, isReady);
  await world.environment.pass(120_000);
  const writes = (): number => world.managers.writes.made.filter((call) => call.endsWith("MemoryMachine")).length;
  const settled = writes();
  const pollMs = 60_000;
  const lastedMs = async (test: (object?: KubeObject) => boolean): Promise<number> => {
    const began = world.environment.clock.now();
    for (const name of names) await until(name, test);
    return world.environment.clock.now() - began;
  };
  world.cloud.calls.down = true;
  const isUnknown = (object?: KubeObject): boolean =>
    object !== undefined && conditionOf(object, "Ready")?.status === "Unknown";
  expect(await lastedMs(isUnknown)).toBeLessThan(pollMs + 10_000);
  const unknown = await world.environment.client.get<KubeObject>(MemoryMachine, world.core.key("a"));
  expect(conditionOf(unknown, "Ready")).toMatchObject({
    reason: "Unavailable",
    message: "the cloud does not answer",
  });
  expect(conditionOf(unknown, "Provisioned")?.status).toBe("True");
  const calls = world.cloud.calls.made.length;
  await world.environment.pass(1_800_000);
  expect(writes() - settled).toBe(names.length);
  expect(world.cloud.calls.made.length - calls, "no storm of lists").toBeLessThan(120);
  world.cloud.calls.down = false;
  expect(await lastedMs(isReady)).toBeLessThan(pollMs + 10_000);
  await world.environment.pass(600_000);
  expect(writes() - settled).toBe(2 * names.length);
});

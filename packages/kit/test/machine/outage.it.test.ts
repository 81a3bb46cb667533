import { conditionOf } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { ConformanceEnvironment, CorePart, SceneManagers } from "@capstan/testing/environment";
import { MemoryCloud, MemoryCluster, MemoryMachine, createMemoryProvider } from "@capstan/testing/infra-memory";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createCluster, createMachine } from "./memory-objects.ts";

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
  cloud = new MemoryCloud({ clock: environment.clock, bootMs: 2000 });
  managers = new SceneManagers(environment, { provider: () => createMemoryProvider(cloud) }, core.namespace);
});
afterEach(() => managers.stopAll());

const until = (name: string, test: (object?: KubeObject) => boolean) =>
  environment.eventually<KubeObject>(MemoryMachine, core.key(name), test);

it("keeps a machine ready through a call that fails by chance, without a write", async () => {
  await createCluster(core);
  await createMachine(core, "m");
  await managers.start();
  await until("m", isReady);
  await environment.pass(90_000);
  const before = await environment.client.get<KubeObject>(MemoryMachine, core.key("m"));
  cloud.calls.disturb({ operation: "list", kind: "refuse" });
  await environment.pass(200_000);
  const after = await environment.client.get<KubeObject>(MemoryMachine, core.key("m"));
  expect(isReady(after)).toBe(true);
  expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
});

it("says within one poll that a cloud is out of reach, and that it is back, with one write for each", async () => {
  await createCluster(core);
  const names = ["a", "b", "c", "d", "e"];
  for (const name of names) await createMachine(core, name);
  await managers.start();
  for (const name of names) await until(name, isReady);
  await environment.pass(120_000);
  const writes = (): number => managers.writes.made.filter((call) => call.endsWith("MemoryMachine")).length;
  const settled = writes();
  const pollMs = 60_000;
  const lastedMs = async (test: (object?: KubeObject) => boolean): Promise<number> => {
    const began = environment.clock.now();
    for (const name of names) await until(name, test);
    return environment.clock.now() - began;
  };
  cloud.calls.down = true;
  const isUnknown = (object?: KubeObject): boolean =>
    object !== undefined && conditionOf(object, "Ready")?.status === "Unknown";
  expect(await lastedMs(isUnknown)).toBeLessThan(pollMs + 10_000);
  const unknown = await environment.client.get<KubeObject>(MemoryMachine, core.key("a"));
  expect(conditionOf(unknown, "Ready")).toMatchObject({
    reason: "Unavailable",
    message: "the cloud does not answer",
  });
  expect(conditionOf(unknown, "Provisioned")?.status).toBe("True");
  const calls = cloud.calls.made.length;
  await environment.pass(1_800_000);
  expect(writes() - settled).toBe(names.length);
  expect(cloud.calls.made.length - calls, "no storm of lists").toBeLessThan(120);
  cloud.calls.down = false;
  expect(await lastedMs(isReady)).toBeLessThan(pollMs + 10_000);
  await environment.pass(600_000);
  expect(writes() - settled).toBe(2 * names.length);
});

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Machine, MachineDeployment, MachineSet } from "../src/api.ts";
import { disturbAtRandom, mend } from "./faults.ts";
import { providerKinds } from "./provider-kinds.ts";
import type { WorkerWorld } from "./worker-world.ts";
import { startWorkerWorld } from "./worker-world.ts";
import type { World } from "./world.ts";
import { set } from "./world.ts";

let given: WorkerWorld;
let world: World;
beforeEach(async () => {
  given = await startWorkerWorld();
  ({ world } = given);
});
afterEach(async () => {
  await world.stop();
});

const count = async (): Promise<number> => (await given.list(Machine)).length;

const start = async (replicas: number): Promise<void> => {
  await given.createDeployment(replicas);
  await world.until(() => given.isComplete(replicas));
  await world.settle();
};

const isDelete = (request: string): boolean => /^DELETE .*\/machines\//.test(request);

describe("a MachineSet that shrinks", () => {
  it("deletes none too many, although answers are lost and its cache is old", async () => {
    await start(5);
    const deleted = new Set<string>();
    world.disturb = (request) => {
      if (!isDelete(request)) return undefined;
      const isFirst = !deleted.has(request);
      deleted.add(request);
      world.blind = true;
      return isFirst ? "lose" : undefined;
    };
    await set(world, MachineDeployment, await given.deployment(), { spec: { replicas: 2 } });
    await world.until(() => deleted.size === 3);
    await world.settle();
    expect(deleted.size).toBe(3);
    mend(world);
    world.blind = false;
    await world.until(async () => (await count()) === 2);
    await world.settle();
    expect(await count()).toBe(2);
    expect(await given.names(providerKinds.machine.resource)).toEqual(await given.names(Machine));
  });

  it.each([1, 2])(
    "goes up and down through refused and lost calls, and ends with what is wanted (%s)",
    async (seed) => {
      await start(2);
      disturbAtRandom(world, seed);
      for (const replicas of [5, 1, 4]) {
        await set(world, MachineDeployment, await given.deployment(), { spec: { replicas } });
        await world.until(async () => (await count()) === replicas);
      }
      mend(world);
      await world.until(() => given.isComplete(4));
      await world.settle();
      expect(await given.names(providerKinds.config.resource)).toEqual(await given.names(Machine));
      expect((await given.list(MachineSet)).length).toBe(1);
    },
  );
});

import { seededRandom } from "@capstan/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Machine, MachineDeployment, MachineSet } from "../src/api.ts";
import { key } from "./hand-provider.ts";
import { providerKinds } from "./provider-kinds.ts";
import type { WorkerWorld } from "./worker-world.ts";
import { startWorkerWorld } from "./worker-world.ts";
import type { World } from "./world.ts";
import { set, unavailable } from "./world.ts";

/** Real time: generous, for machines that are busy with other things. */
const timeout = 180_000;

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
  await world.until(async () => (await count()) === replicas);
  await world.settle();
};

const isDelete = (request: string): boolean => /^DELETE .*\/machines\//.test(request);

describe("a MachineSet that shrinks", { timeout }, () => {
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
    world.disturb = () => undefined;
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
      const random = seededRandom(seed);
      world.disturb = (request) => {
        if (request.startsWith("GET")) return undefined;
        const dice = random.next();
        if (dice < 0.15) throw unavailable("the API server is not there");
        return dice < 0.3 ? "lose" : undefined;
      };
      for (const replicas of [5, 1, 4]) {
        await set(world, MachineDeployment, await given.deployment(), { spec: { replicas } });
        await world.until(async () => (await count()) === replicas);
      }
      world.disturb = () => undefined;
      await world.until(async () => (await given.names(providerKinds.machine.resource)).length === 4);
      await world.settle();
      expect(await given.names(providerKinds.config.resource)).toEqual(await given.names(Machine));
      expect((await given.list(MachineSet)).length).toBe(1);
    },
  );
});

describe("a MachineDeployment that is deleted", { timeout }, () => {
  it("goes with everything it made, at whichever call its manager is killed", async () => {
    let calls = Number.POSITIVE_INFINITY;
    for (let killAt = 1; killAt < calls; killAt += 4) {
      await start(2);
      let made = 0;
      let dead = false;
      world.disturb = (request) => {
        if (dead) throw unavailable("the process is gone");
        if (request.startsWith("GET")) return undefined;
        made += 1;
        if (made < killAt) return undefined;
        dead = true;
        return "lose";
      };
      await world.api.delete(MachineDeployment, key("md"));
      await world.settle();
      if (!dead) calls = made;
      world.disturb = () => undefined;
      await world.restart();
      await world.until(async () => (await world.api.find(MachineDeployment, key("md"))) === undefined);
      await world.settle();
      for (const kind of [MachineSet, Machine]) expect(await given.names(kind)).toEqual([]);
      for (const kind of [providerKinds.machine, providerKinds.config])
        expect(await given.names(kind.resource)).toEqual([]);
    }
  });
});

import { Annotation, Label } from "@capstan/contract";
import { seededRandom } from "@capstan/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Machine, MachineDeployment, MachineSet } from "../src/api.ts";
import { findCondition } from "../src/object/conditions.ts";
import { createMachine, key, providerObject } from "./hand-provider.ts";
import { providerKinds } from "./provider-kinds.ts";
import type { WorkerWorld } from "./worker-world.ts";
import { startWorkerWorld } from "./worker-world.ts";
import type { World } from "./world.ts";
import { set, unavailable } from "./world.ts";

/** Real time: generous, for machines that are busy with other things. */
const timeout = 120_000;

let given: WorkerWorld;
let world: World;
beforeEach(async () => {
  given = await startWorkerWorld();
  ({ world } = given);
});
afterEach(async () => {
  await world.stop();
});

describe("a MachineSet", { timeout }, () => {
  it("replaces a Machine that is deleted", async () => {
    await given.createDeployment(2);
    await world.until(async () => (await given.list(Machine)).length === 2);
    const [victim = ""] = await given.names(Machine);
    await world.api.delete(Machine, key(victim));
    await world.until(async () => {
      const present = await given.names(Machine);
      return present.length === 2 && !present.includes(victim);
    });
  });

  it("takes the Machine that is marked for it", async () => {
    await given.createDeployment(3);
    await world.until(async () => (await given.list(Machine)).length === 3);
    await world.settle();
    const marked = (await given.names(Machine))[1] ?? "";
    await set(world, Machine, await world.api.get(Machine, key(marked)), {
      metadata: { annotations: { [Annotation.deleteMachine]: "" } },
    });
    await world.settle();
    await set(world, MachineDeployment, await given.deployment(), { spec: { replicas: 2 } });
    await world.until(async () => (await given.list(Machine)).length === 2);
    expect(await given.names(Machine)).not.toContain(marked);
  });

  it("adopts what nobody owns, and leaves alone what others own", async () => {
    await given.createDeployment(1);
    await world.until(async () => (await given.list(Machine)).length === 1);
    await world.settle();
    const [first] = await given.names(Machine);
    const [owner] = await given.list(MachineSet);
    await createMachine(world, "orphan", { labels: { ...owner?.spec.selector.matchLabels, [Label.setName]: "x" } });
    await world.until(async () => (await given.list(Machine)).length === 1);
    const adopted = first === undefined ? undefined : await world.api.find(Machine, key(first));
    const [left] = await given.list(Machine);
    expect([adopted?.metadata.name, "orphan"]).toContain(left?.metadata.name);
    expect(left?.metadata.ownerReferences).toMatchObject([{ kind: "MachineSet", name: owner?.metadata.name }]);
  });

  it("says why it cannot make Machines, and makes them once it can", async () => {
    await world.api.delete(providerKinds.machineTemplate.resource, key("workers"));
    await given.createDeployment(1);
    await world.until(async () => {
      const [owner] = await given.list(MachineSet);
      return owner !== undefined && (findCondition(owner, "ScalingUp")?.message ?? "").includes("does not exist");
    });
    expect(await given.names(providerKinds.config.resource)).toEqual([]);
    await world.until(async () => {
      const message = findCondition(await given.deployment(), "ScalingUp")?.message ?? "";
      return message.includes("TestMachineTemplate default/workers does not exist");
    });
    const template = providerObject(providerKinds.machineTemplate, "workers", { template: { spec: {} } });
    await world.api.create(providerKinds.machineTemplate.resource, template);
    await world.until(async () => (await given.list(Machine)).length === 1);
  });

  it.each([1, 2, 3, 4])(
    "never makes a Machine twice, whatever calls are refused or lose their answer (%s)",
    async (seed) => {
      const random = seededRandom(seed);
      world.disturb = (request) => {
        if (request.startsWith("GET")) return undefined;
        const dice = random.next();
        if (dice < 0.15) throw unavailable("the API server is not there");
        return dice < 0.3 ? "lose" : undefined;
      };
      await given.createDeployment(4);
      await world.until(async () => {
        const count = (await given.list(Machine)).length;
        expect(count).toBeLessThanOrEqual(4);
        return count === 4;
      });
      await world.settle();
      world.disturb = () => undefined;
      await world.until(async () => (await given.names(providerKinds.machine.resource)).length === 4);
      await world.settle();
      expect((await given.list(MachineSet)).length).toBe(1);
      const machines = await given.names(Machine);
      expect(machines).toHaveLength(4);
      expect(await given.names(providerKinds.machine.resource)).toEqual(machines);
      expect(await given.names(providerKinds.config.resource)).toEqual(machines);
    },
  );

  it("never makes a Machine or a set twice because its cache is old", async () => {
    const lost: string[] = [];
    world.disturb = (request) => {
      const isMade = request.startsWith("PATCH") && /\/(machines|machinesets)\/md-[a-z0-9-]+$/.test(request);
      if (!isMade || lost.includes(request) || lost.length >= 3) return undefined;
      lost.push(request);
      world.blind = true;
      return "lose";
    };
    await given.createDeployment(3);
    await world.until(() => lost.length === 1);
    await world.settle();
    expect((await given.list(MachineSet)).length).toBe(1);
    world.blind = false;
    await world.until(() => lost.length === 3);
    await world.settle();
    expect((await given.list(Machine)).length).toBeLessThanOrEqual(3);
    world.blind = false;
    await world.until(async () => (await given.list(Machine)).length === 3);
    await world.settle();
    expect((await given.list(MachineSet)).length).toBe(1);
    expect(await given.names(providerKinds.machine.resource)).toEqual(await given.names(Machine));
  });

  it("survives being killed between any two calls", async () => {
    for (let killAt = 1; killAt <= 12; killAt++) {
      let left = killAt;
      let dead = false;
      world.disturb = (request) => {
        if (dead) throw unavailable("the process is gone");
        if (request.startsWith("GET")) return undefined;
        left -= 1;
        if (left > 0) return undefined;
        dead = true;
        return "lose";
      };
      if (killAt === 1) await given.createDeployment(1);
      else await set(world, MachineDeployment, await given.deployment(), { spec: { replicas: killAt } });
      await world.settle();
      world.disturb = () => undefined;
      await world.restart();
      await world.until(async () => (await given.list(Machine)).length === killAt);
    }
    await world.settle();
    expect((await given.list(MachineSet)).length).toBe(1);
    expect(await given.names(Machine)).toHaveLength(12);
    expect(await given.names(providerKinds.machine.resource)).toEqual(await given.names(Machine));
    expect(await given.names(providerKinds.config.resource)).toEqual(await given.names(Machine));
  });
});

import { Annotation, Label } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import type { KubeObject } from "@capstan/schema";
import { completionOf, findCondition } from "@capstan/kit/machines";
import type { Manager } from "@capstan/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Machine, MachineDeployment, MachineSet } from "../src/api.ts";
import { disturbAtRandom, mend } from "./faults.ts";
import { createMachine, hold, key, providerObject } from "./hand-provider.ts";
import { providerKinds } from "./provider-kinds.ts";
import type { WorkerWorld } from "./worker-world.ts";
import { startWorkerWorld } from "./worker-world.ts";
import type { World } from "./world.ts";
import { set, unavailable } from "./world.ts";

const template = (labels: object, annotations: object) => ({
  spec: { template: { metadata: { labels, annotations } } },
});

let given: WorkerWorld;
let world: World;
beforeEach(async () => {
  given = await startWorkerWorld();
  ({ world } = given);
});
afterEach(async () => {
  await world.stop();
});

describe("a MachineSet", () => {
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

  it("makes configs with what their provider knows of them", async () => {
    await world.stop();
    const { resource } = providerKinds.config;
    const completing: ProviderV1 = {
      contract: "v1",
      name: "completing",
      kinds: [],
      register: (host) =>
        host.add({
          name: "completing",
          attach: (manager: Manager) =>
            manager.provide(completionOf(resource), async (part, { cluster, machine }) => ({
              ...part,
              spec: { ...(part["spec"] as object), for: `${cluster.metadata.name}/${machine.metadata.name}` },
            })),
        }),
    };
    given = await startWorkerWorld({ providers: () => [completing] });
    ({ world } = given);
    await given.createDeployment(1);
    await world.until(() => given.isComplete(1));
    const [config] = await given.list(resource);
    expect(config?.["spec"]).toEqual({
      size: "small",
      for: expect.stringContaining(`/${config?.metadata.name}`) as string,
    });
    expect(config?.metadata.generation, "it is written once").toBe(1);
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

  it("completes a Machine whose infrastructure machine was refused, and makes no other meanwhile", async () => {
    const { resource } = providerKinds.machine;
    world.disturb = (request) => {
      if (request.startsWith("POST") && request.endsWith(`/${resource.plural}`)) throw unavailable("no more of these");
      return undefined;
    };
    await given.createDeployment(3);
    await world.until(async () => {
      const [owner] = await given.list(MachineSet);
      return owner !== undefined && (findCondition(owner, "ScalingUp")?.message ?? "").includes("no more of these");
    });
    await world.settle();
    const begun = await given.names(Machine);
    expect(begun).toHaveLength(1);
    expect(await given.names(providerKinds.config.resource)).toEqual(begun);
    mend(world);
    await world.until(() => given.isComplete(3));
    await world.settle();
    expect(await given.names(Machine)).toEqual(expect.arrayContaining([...begun]));
    expect(await given.names(resource)).toEqual(await given.names(Machine));
    expect(await given.names(providerKinds.config.resource)).toEqual(await given.names(Machine));
  });

  it("makes nothing anew that a Machine has lost after it was provisioned", async () => {
    await given.createDeployment(1);
    await world.until(async () => {
      await given.serve();
      const [machine] = await given.list(Machine);
      return machine?.status?.initialization?.infrastructureProvisioned === true;
    });
    await world.settle();
    const [name = ""] = await given.names(Machine);
    await world.api.delete(providerKinds.machine.resource, key(name));
    await world.settle();
    expect(await given.names(providerKinds.machine.resource)).toEqual([]);
  });

  it("gives a Machine on its way out its time limits and taints only", async () => {
    await given.createDeployment(1);
    await world.until(async () => (await given.list(Machine)).length === 1);
    await world.settle();
    const [name = ""] = await given.names(Machine);
    await hold(world, providerKinds.machine, name);
    await world.api.delete(Machine, key(name));
    await world.settle();
    const change = async (metadata: object, spec: object): Promise<Machine> => {
      await set(world, MachineDeployment, await given.deployment(), { spec: { template: { metadata, spec } } });
      await world.settle();
      return world.api.get(Machine, key(name));
    };
    const taints = [{ key: "team/a", effect: "NoSchedule", propagation: "Always" }];
    const deletion = { nodeDrainTimeoutSeconds: 60, nodeVolumeDetachTimeoutSeconds: 30 };
    const received = await change({ labels: { tier: "front" } }, { taints, deletion, minReadySeconds: 5 });
    expect(received.spec).toMatchObject({ taints, deletion: { ...deletion, nodeDeletionTimeoutSeconds: 10 } });
    expect(received.spec).not.toHaveProperty("minReadySeconds");
    expect(received.metadata.labels).not.toHaveProperty("tier");
    // A limit of the Machine's own, such as one that ends a drain, stays where the set has none.
    await change({}, { deletion: { nodeDrainTimeoutSeconds: null } });
    await set(world, Machine, received, { spec: { deletion: { nodeDrainTimeoutSeconds: 1 } } });
    await world.settle();
    expect((await world.api.get(Machine, key(name))).spec.deletion).toHaveProperty("nodeDrainTimeoutSeconds", 1);
  });

  it("takes back labels and annotations that it gave, and no others", async () => {
    const { resource } = providerKinds.machine;
    await given.createDeployment(1);
    await set(world, MachineDeployment, await given.deployment(), template({ a: "1", b: "1" }, { note: "x" }));
    await world.until(async () => (await given.list(Machine)).length === 1);
    await world.settle();
    const [name = ""] = await given.names(Machine);
    const [made] = await given.list(resource);
    expect(made?.metadata.labels).toMatchObject({ a: "1", b: "1", role: "worker", made: "by-template" });
    if (made !== undefined) await set(world, resource, made, { metadata: { labels: { theirs: "yes" } } });
    await world.settle();
    world.requests.length = 0;
    await world.restart();
    await world.settle();
    expect(world.requests.filter((request) => !request.startsWith("GET"))).toEqual([]);
    for (const labels of [{ b: null }, { a: null, c: "2" }]) {
      await set(world, MachineDeployment, await given.deployment(), template(labels, { note: null }));
      await world.settle();
    }
    for (const kind of [resource, providerKinds.config.resource]) {
      const { metadata } = await world.api.get<KubeObject>(kind, key(name));
      expect(metadata.labels).toMatchObject({ c: "2", role: "worker", made: "by-template" });
      expect(metadata.labels).not.toHaveProperty("a");
      expect(metadata.labels).not.toHaveProperty("b");
      expect(metadata.annotations).not.toHaveProperty("note");
      expect(metadata.annotations?.[Annotation.clonedFromName]).toBe("workers");
    }
    expect((await world.api.get<KubeObject>(resource, key(name))).metadata.labels).toHaveProperty("theirs");
    const { metadata } = await world.api.get(Machine, key(name));
    expect(metadata.labels).toMatchObject({ c: "2", role: "worker" });
    expect(metadata.labels).not.toHaveProperty("a");
  });

  it.each([1, 2, 3, 4])(
    "never makes a Machine twice, whatever calls are refused or lose their answer (%s)",
    async (seed) => {
      disturbAtRandom(world, seed);
      await given.createDeployment(4);
      await world.until(async () => {
        const count = (await given.list(Machine)).length;
        expect(count).toBeLessThanOrEqual(4);
        return count === 4;
      });
      await world.settle();
      mend(world);
      await world.until(() => given.isComplete(4));
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
    await world.until(() => given.isComplete(3));
    await world.settle();
    expect((await given.list(MachineSet)).length).toBe(1);
    expect(await given.names(providerKinds.machine.resource)).toEqual(await given.names(Machine));
  });
});

import { Annotation, Finalizer, Label } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import { findCondition } from "@capstan/kit/machines";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Cluster, Machine, MachineDeployment, MachineSet } from "../src/api.ts";
import { clusterNamed, hold, key, machineNamed, release } from "./hand-provider.ts";
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

const templateChange = (labels: object, spec: object) => ({
  spec: { template: { metadata: { labels, annotations: { note: "x" } }, spec } },
});

describe("a MachineDeployment", () => {
  it("fills in what its author left out, and makes one set", async () => {
    await given.createDeployment(2);
    await world.until(async () => (await given.list(Machine)).length === 2);
    await world.settle();
    const md = await given.deployment();
    const labels = { [Label.deploymentName]: "md", [Label.clusterName]: "prod" };
    expect(md.metadata).toMatchObject({
      finalizers: [Finalizer.machineDeployment],
      annotations: { [Annotation.revision]: "1" },
      ownerReferences: [{ kind: "Cluster", name: "prod" }],
    });
    expect(md.spec.selector).toEqual({ matchLabels: labels });
    expect(md.spec.rollout?.strategy).toEqual({
      type: "RollingUpdate",
      rollingUpdate: { maxSurge: 1, maxUnavailable: 0 },
    });
    const [only, ...others] = await given.list(MachineSet);
    expect(others).toEqual([]);
    expect(only?.metadata.name).toMatch(/^md-[a-z0-9]{5}$/);
    expect(only?.metadata.labels?.[Label.machineTemplateHash]).toMatch(
      new RegExp(`^\\d+-${only?.metadata.name?.slice(3)}$`),
    );
    expect(only?.metadata.annotations).toEqual({
      [Annotation.disableMachineCreate]: "false",
      [Annotation.revision]: "1",
      [Annotation.desiredReplicas]: "2",
      [Annotation.maxReplicas]: "3",
    });
    expect(only?.spec.replicas).toBe(2);
  });

  it("has Machines whose objects share their name, labels and origin", async () => {
    await given.createDeployment(1);
    await world.until(async () => (await given.list(Machine)).length === 1);
    await world.settle();
    const [machine] = await given.list(Machine);
    const [owner] = await given.list(MachineSet);
    const name = machine?.metadata.name ?? "";
    expect(name).toMatch(new RegExp(`^${owner?.metadata.name}-[a-z0-9]{5}$`));
    const labels = {
      role: "worker",
      [Label.clusterName]: "prod",
      [Label.deploymentName]: "md",
      [Label.setName]: owner?.metadata.name,
      [Label.machineTemplateHash]: owner?.metadata.labels?.[Label.machineTemplateHash],
    };
    expect(machine?.metadata.labels).toEqual(labels);
    for (const [kind, template] of [
      [providerKinds.machine, providerKinds.machineTemplate],
      [providerKinds.config, providerKinds.configTemplate],
    ] as const) {
      const clone = await world.api.get(kind.resource, key(name));
      expect(clone.metadata.labels).toEqual({ ...labels, made: "by-template" });
      expect(clone["spec"]).toMatchObject({ size: "small" });
      expect(clone.metadata.annotations).toMatchObject({
        [Annotation.clonedFromName]: "workers",
        [Annotation.clonedFromGroupKind]: `${template.resource.kind}.${template.resource.group}`,
      });
      expect(clone.metadata.ownerReferences?.map((by) => `${by.kind} ${by.name} ${by.controller}`)).toEqual([
        `Machine ${name} true`,
      ]);
      const owned = await world.api.get(template.resource, key("workers"));
      expect(owned.metadata.ownerReferences).toMatchObject([{ kind: "Cluster", name: "prod" }]);
    }
  });

  it("runs 3, then 5, then 2, says so, and rests", async () => {
    await given.startControlPlane();
    await given.createDeployment(3);
    const replicas = async (count: number): Promise<void> => {
      await set(world, MachineDeployment, await given.deployment(), { spec: { replicas: count } });
    };
    const workers = async (count: number): Promise<void> =>
      world.until(async () => {
        await given.serve();
        const { status } = await given.deployment();
        const done = status?.availableReplicas === count && status.replicas === count;
        return done && (await given.list(Machine)).length === count + 1;
      });
    await workers(3);
    await world.settle();
    expect(await given.deployment()).toMatchObject({
      status: { phase: "Running", replicas: 3, readyReplicas: 3, availableReplicas: 3, upToDateReplicas: 3 },
    });
    await replicas(5);
    await workers(5);
    await replicas(2);
    await workers(2);
    await world.settle();
    const md = await given.deployment();
    const statuses = Object.fromEntries((md.status?.conditions ?? []).map(({ type, status }) => [type, status]));
    expect(statuses).toEqual({
      Available: "True",
      MachinesReady: "True",
      MachinesUpToDate: "True",
      RollingOut: "False",
      ScalingUp: "False",
      ScalingDown: "False",
      Remediating: "False",
      Paused: "False",
      Deleting: "False",
    });
    expect(md.status).toMatchObject({
      versions: [{ version: "v1.33.4", replicas: 2 }],
      observedGeneration: md.metadata.generation,
      deprecated: { v1beta1: { updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2, unavailableReplicas: 0 } },
    });
    expect((await given.names(providerKinds.machine.resource)).length).toBe(3);
    expect((await clusterNamed(world))?.status?.workers).toMatchObject({ desiredReplicas: 2, availableReplicas: 2 });
    world.requests.length = 0;
    await set(world, MachineDeployment, md, { metadata: { labels: { look: "again" } } });
    for (const only of await given.list(MachineSet)) {
      await set(world, MachineSet, only, { metadata: { annotations: { look: "again" } } });
    }
    await world.settle();
    expect(world.requests.filter((request) => !request.includes("machinesets"))).toEqual([]);
    await world.restart();
    await world.settle();
    expect(world.requests.filter((request) => request.startsWith("P") && !request.includes("machinesets"))).toEqual([]);
  });

  it("brings labels, annotations and timeouts to what exists, and takes them back", async () => {
    await given.createDeployment(1);
    await world.until(async () => (await given.list(Machine)).length === 1);
    await world.settle();
    const name = (await given.names(Machine))[0] ?? "";
    await set(
      world,
      MachineDeployment,
      await given.deployment(),
      templateChange({ tier: "front" }, { deletion: { nodeDrainTimeoutSeconds: 60 } }),
    );
    await world.settle();
    const objects = () =>
      Promise.all([
        world.api.get<KubeObject>(Machine, key(name)),
        world.api.get(providerKinds.machine.resource, key(name)),
        world.api.get(providerKinds.config.resource, key(name)),
      ]);
    for (const { metadata } of await objects()) {
      expect(metadata.labels).toMatchObject({ tier: "front", role: "worker" });
      expect(metadata.annotations).toMatchObject({ note: "x" });
    }
    const machine = await world.api.get(Machine, key(name));
    expect(machine.spec.deletion).toEqual({ nodeDrainTimeoutSeconds: 60, nodeDeletionTimeoutSeconds: 10 });
    await set(world, MachineDeployment, await given.deployment(), templateChange({ tier: null }, { deletion: null }));
    await world.settle();
    for (const { metadata } of await objects()) expect(metadata.labels).not.toHaveProperty("tier");
    expect((await world.api.get(Machine, key(name))).spec.deletion).toEqual({ nodeDeletionTimeoutSeconds: 10 });
    expect((await given.list(MachineSet)).length).toBe(1);
    expect((await given.list(Machine)).length).toBe(1);
  });

  it("goes with everything it made", async () => {
    await given.createDeployment(2);
    await world.until(async () => (await given.list(Machine)).length === 2);
    await world.api.delete(MachineDeployment, key("md"));
    await world.until(async () => (await world.api.find(MachineDeployment, key("md"))) === undefined);
    expect(await given.names(MachineSet)).toEqual([]);
    expect(await given.names(Machine)).toEqual([]);
    expect(await given.names(providerKinds.machine.resource)).toEqual([]);
    expect(await given.names(providerKinds.config.resource)).toEqual([]);
  });

  it("goes with its Cluster", async () => {
    await given.startControlPlane();
    await given.createDeployment(2);
    await world.until(async () => (await given.list(Machine)).length === 3);
    await world.api.delete(Cluster, key("prod"));
    await world.until(async () => (await clusterNamed(world)) === undefined);
    for (const kind of [MachineDeployment, MachineSet, Machine]) expect(await given.names(kind)).toEqual([]);
  });

  it("goes in order when its Cluster was torn away", async () => {
    await given.createDeployment(1);
    await world.until(async () => (await given.names(providerKinds.machine.resource)).length === 1);
    await world.settle();
    const [worker = ""] = await given.names(Machine);
    await hold(world, providerKinds.machine, worker);
    await world.api.delete(Cluster, key("prod"), { propagationPolicy: "Orphan" });
    await world.api.patch(Cluster, key("prod"), { type: "merge", body: { metadata: { finalizers: null } } });
    await world.until(async () => (await clusterNamed(world)) === undefined);
    await world.api.delete(MachineDeployment, key("md"));
    await world.until(async () => {
      const machine = await machineNamed(world, worker);
      return machine !== undefined && findCondition(machine, "Deleting")?.reason === "WaitingForInfrastructureDeletion";
    });
    await world.settle();
    expect(await given.names(Machine)).toEqual([worker]);
    await release(world, providerKinds.machine, worker);
    await world.until(async () => (await world.api.find(MachineDeployment, key("md"))) === undefined);
    for (const kind of [MachineSet, Machine, providerKinds.machine.resource, providerKinds.config.resource]) {
      expect(await given.names(kind)).toEqual([]);
    }
  });
});

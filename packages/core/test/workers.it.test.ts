import { Annotation, Finalizer, Label } from "@capstan/contract";
import { NodeResource } from "@capstan/contract/wire";
import type { KubeObject, Resource } from "@capstan/schema";
import { seededRandom } from "@capstan/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Cluster, Machine, MachineDeployment, MachineSet } from "../src/api.ts";
import { findCondition } from "../src/object/conditions.ts";
import { byText } from "../src/object/names.ts";
import {
  bootstrap,
  clusterNamed,
  createCluster,
  createMachine,
  join,
  key,
  namespace,
  providerObject,
  provision,
  provisionCluster,
} from "./hand-provider.ts";
import { providerKinds } from "./provider-kinds.ts";
import type { World } from "./world.ts";
import { set, startWorld, unavailable } from "./world.ts";

/** Real time: generous, for machines that are busy with other things. */
const timeout = 120_000;

let world: World;
beforeEach(async () => {
  world = await startWorld();
  await createCluster(world);
  await provisionCluster(world);
  const body = { metadata: { labels: { made: "by-template" } }, spec: { size: "small" } };
  for (const kind of [providerKinds.machineTemplate, providerKinds.configTemplate]) {
    await world.api.create(kind.resource, providerObject(kind, "workers", { template: body }));
  }
});
afterEach(async () => {
  await world.stop();
});

/** A deployment as people write it: without selector, labels and strategy. */
const createDeployment = (replicas: number): Promise<MachineDeployment> =>
  world.api.create(MachineDeployment, {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: MachineDeployment.kind,
    metadata: { name: "md", namespace },
    spec: {
      clusterName: "prod",
      replicas,
      selector: { matchLabels: null },
      template: {
        metadata: { labels: { role: "worker" } },
        spec: {
          clusterName: "prod",
          version: "v1.33.4",
          bootstrap: { configRef: { ...providerKinds.configTemplate.ref, name: "workers" } },
          infrastructureRef: { ...providerKinds.machineTemplate.ref, name: "workers" },
        },
      },
    },
  });

const list = async <T extends KubeObject>(kind: Resource<T>): Promise<readonly T[]> =>
  (await world.api.list(kind, { namespace })).items;
const names = async (kind: Resource): Promise<readonly string[]> =>
  (await list(kind)).map(({ metadata }) => metadata.name ?? "").sort(byText);
const deployment = (): Promise<MachineDeployment> => world.api.get(MachineDeployment, key("md"));

/** Everything the outside does for Machines that lack something: data, machines, Nodes. */
const serve = async (): Promise<void> => {
  for (const { metadata, status } of await list(Machine)) {
    const name = metadata.name ?? "";
    if (metadata.deletionTimestamp !== undefined || status?.nodeRef !== undefined) continue;
    if (status?.initialization?.bootstrapDataSecretCreated !== true) await bootstrap(world, name);
    if (status?.initialization?.infrastructureProvisioned !== true) await provision(world, name);
    if ((await world.workload.find(NodeResource, { name: `node-${name}` })) === undefined) await join(world, name);
  }
};

const startControlPlane = async (): Promise<void> => {
  await createMachine(world, "cp", { labels: { [Label.controlPlane]: "" } });
  await bootstrap(world, "cp");
  await provision(world, "cp");
  await join(world, "cp");
  await world.until(async () => (await clusterNamed(world))?.status?.initialization?.controlPlaneInitialized === true);
};

const templateChange = (labels: object, spec: object) => ({
  spec: { template: { metadata: { labels, annotations: { note: "x" } }, spec } },
});

describe("a MachineDeployment", { timeout }, () => {
  it("fills in what its author left out, and makes one set", async () => {
    await createDeployment(2);
    await world.until(async () => (await list(Machine)).length === 2);
    await world.settle();
    const md = await deployment();
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
    const [only, ...others] = await list(MachineSet);
    expect(others).toEqual([]);
    expect(only?.metadata.name).toMatch(/^md-[a-z0-9]{5}$/);
    expect(only?.metadata.labels?.[Label.machineTemplateHash]).toMatch(
      new RegExp(`^\\d+-${only?.metadata.name?.slice(3)}$`),
    );
    expect(only?.metadata.annotations).toEqual({
      [Annotation.revision]: "1",
      [Annotation.desiredReplicas]: "2",
      [Annotation.maxReplicas]: "3",
    });
    expect(only?.spec.replicas).toBe(2);
  });

  it("has Machines whose objects share their name, labels and origin", async () => {
    await createDeployment(1);
    await world.until(async () => (await list(Machine)).length === 1);
    await world.settle();
    const [machine] = await list(Machine);
    const [owner] = await list(MachineSet);
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
    await startControlPlane();
    await createDeployment(3);
    const replicas = async (count: number): Promise<void> => {
      await set(world, MachineDeployment, await deployment(), { spec: { replicas: count } });
    };
    const workers = async (count: number): Promise<void> =>
      world.until(async () => {
        await serve();
        const { status } = await deployment();
        const done = status?.availableReplicas === count && status.replicas === count;
        return done && (await list(Machine)).length === count + 1;
      });
    await workers(3);
    expect(await deployment()).toMatchObject({
      status: { phase: "Running", replicas: 3, readyReplicas: 3, availableReplicas: 3, upToDateReplicas: 3 },
    });
    await replicas(5);
    await workers(5);
    await replicas(2);
    await workers(2);
    await world.settle();
    const md = await deployment();
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
    expect((await names(providerKinds.machine.resource)).length).toBe(3);
    expect((await clusterNamed(world))?.status?.workers).toMatchObject({ desiredReplicas: 2, availableReplicas: 2 });
    world.requests.length = 0;
    await set(world, MachineDeployment, md, { metadata: { labels: { look: "again" } } });
    await set(world, MachineSet, (await list(MachineSet))[0] as MachineSet, {
      metadata: { annotations: { look: "again" } },
    });
    await world.settle();
    expect(world.requests.filter((request) => !request.includes("machinesets"))).toEqual([]);
  });

  it("brings labels, annotations and timeouts to what exists, and takes them back", async () => {
    await createDeployment(1);
    await world.until(async () => (await list(Machine)).length === 1);
    await world.settle();
    const name = (await names(Machine))[0] ?? "";
    await set(
      world,
      MachineDeployment,
      await deployment(),
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
    await set(world, MachineDeployment, await deployment(), templateChange({ tier: null }, { deletion: null }));
    await world.settle();
    for (const { metadata } of await objects()) expect(metadata.labels).not.toHaveProperty("tier");
    expect((await world.api.get(Machine, key(name))).spec.deletion).toEqual({ nodeDeletionTimeoutSeconds: 10 });
    expect((await list(MachineSet)).length).toBe(1);
    expect((await list(Machine)).length).toBe(1);
  });

  it("makes a set of a new revision for a new template, and replaces nothing by itself", async () => {
    await createDeployment(2);
    await world.until(async () => (await list(Machine)).length === 2);
    await world.settle();
    const before = await names(Machine);
    await set(world, MachineDeployment, await deployment(), { spec: { template: { spec: { version: "v1.34.0" } } } });
    await world.settle();
    expect(await names(Machine)).toEqual(before);
    const revisions = (await list(MachineSet)).map(({ metadata, spec }) =>
      [metadata.annotations?.[Annotation.revision], spec.template.spec.version, spec.replicas].join(" "),
    );
    expect(new Set(revisions)).toEqual(new Set(["1 v1.33.4 2", "2 v1.34.0 0"]));
    expect((await deployment()).metadata.annotations?.[Annotation.revision]).toBe("2");
    expect(findCondition(await deployment(), "RollingOut")).toMatchObject({
      status: "True",
      message: "Rolling out 2 not up-to-date replicas\n* Version v1.33.4, v1.34.0 required",
    });
  });

  it("goes with everything it made", async () => {
    await createDeployment(2);
    await world.until(async () => (await list(Machine)).length === 2);
    await world.api.delete(MachineDeployment, key("md"));
    await world.until(async () => (await world.api.find(MachineDeployment, key("md"))) === undefined);
    expect(await names(MachineSet)).toEqual([]);
    expect(await names(Machine)).toEqual([]);
    expect(await names(providerKinds.machine.resource)).toEqual([]);
    expect(await names(providerKinds.config.resource)).toEqual([]);
  });

  it("goes with its Cluster", async () => {
    await startControlPlane();
    await createDeployment(2);
    await world.until(async () => (await list(Machine)).length === 3);
    await world.api.delete(Cluster, key("prod"));
    await world.until(async () => (await clusterNamed(world)) === undefined);
    for (const kind of [MachineDeployment, MachineSet, Machine]) expect(await names(kind)).toEqual([]);
  });
});

describe("a MachineSet", { timeout }, () => {
  it("replaces a Machine that is deleted", async () => {
    await createDeployment(2);
    await world.until(async () => (await list(Machine)).length === 2);
    const [victim = ""] = await names(Machine);
    await world.api.delete(Machine, key(victim));
    await world.until(async () => {
      const present = await names(Machine);
      return present.length === 2 && !present.includes(victim);
    });
  });

  it("takes the Machine that is marked for it", async () => {
    await createDeployment(3);
    await world.until(async () => (await list(Machine)).length === 3);
    await world.settle();
    const marked = (await names(Machine))[1] ?? "";
    await set(world, Machine, await world.api.get(Machine, key(marked)), {
      metadata: { annotations: { [Annotation.deleteMachine]: "" } },
    });
    await world.settle();
    await set(world, MachineDeployment, await deployment(), { spec: { replicas: 2 } });
    await world.until(async () => (await list(Machine)).length === 2);
    expect(await names(Machine)).not.toContain(marked);
  });

  it("adopts what nobody owns, and leaves alone what others own", async () => {
    await createDeployment(1);
    await world.until(async () => (await list(Machine)).length === 1);
    await world.settle();
    const [first] = await names(Machine);
    const [owner] = await list(MachineSet);
    await createMachine(world, "orphan", { labels: { ...owner?.spec.selector.matchLabels, [Label.setName]: "x" } });
    await world.until(async () => (await list(Machine)).length === 1);
    const adopted = first === undefined ? undefined : await world.api.find(Machine, key(first));
    const [left] = await list(Machine);
    expect([adopted?.metadata.name, "orphan"]).toContain(left?.metadata.name);
    expect(left?.metadata.ownerReferences).toMatchObject([{ kind: "MachineSet", name: owner?.metadata.name }]);
  });

  it("says why it cannot make Machines, and makes them once it can", async () => {
    await world.api.delete(providerKinds.machineTemplate.resource, key("workers"));
    await createDeployment(1);
    await world.until(async () => {
      const [owner] = await list(MachineSet);
      return owner !== undefined && (findCondition(owner, "ScalingUp")?.message ?? "").includes("does not exist");
    });
    expect(await names(providerKinds.config.resource)).toEqual([]);
    expect(findCondition(await deployment(), "ScalingUp")?.message).toContain(
      "TestMachineTemplate default/workers does not exist",
    );
    const template = providerObject(providerKinds.machineTemplate, "workers", { template: { spec: {} } });
    await world.api.create(providerKinds.machineTemplate.resource, template);
    await world.until(async () => (await list(Machine)).length === 1);
  });

  it.each([1, 2, 3])(
    "never makes a Machine twice, whatever calls are refused or lose their answer (%s)",
    async (seed) => {
      const random = seededRandom(seed);
      let writes = 0;
      world.disturb = (request) => {
        if (request.startsWith("GET")) return undefined;
        writes += 1;
        const dice = writes > 80 ? 1 : random.next();
        if (dice < 0.15) throw unavailable("the API server is not there");
        return dice < 0.3 ? "lose" : undefined;
      };
      await createDeployment(4);
      await world.until(async () => {
        expect((await list(Machine)).length).toBeLessThanOrEqual(4);
        return writes > 80;
      });
      await world.until(async () => (await names(providerKinds.machine.resource)).length === 4);
      await world.settle();
      expect((await list(MachineSet)).length).toBe(1);
      const machines = await names(Machine);
      expect(machines).toHaveLength(4);
      expect(await names(providerKinds.machine.resource)).toEqual(machines);
      expect(await names(providerKinds.config.resource)).toEqual(machines);
    },
  );

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
      if (killAt === 1) await createDeployment(1);
      else await set(world, MachineDeployment, await deployment(), { spec: { replicas: killAt } });
      await world.settle();
      world.disturb = () => undefined;
      await world.restart();
      await world.until(async () => (await list(Machine)).length === killAt);
    }
    await world.settle();
    expect((await list(MachineSet)).length).toBe(1);
    expect(await names(Machine)).toHaveLength(12);
    expect(await names(providerKinds.machine.resource)).toEqual(await names(Machine));
    expect(await names(providerKinds.config.resource)).toEqual(await names(Machine));
  });
});

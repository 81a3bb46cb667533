import { Annotation, Label } from "@capstan/contract";
import { controllerOf, CustomResourceDefinitionResource, NodeResource, SecretResource } from "@capstan/contract/wire";
import { findCondition } from "@capstan/kit/machines";
import { afterEach, describe, expect, it } from "vitest";
import { Cluster, Machine, MachinePool } from "../src/api.ts";
import { clusterNamed, createMachine, hold, key, namespace, release } from "./hand-provider.ts";
import { providerKinds } from "./provider-kinds.ts";
import type { PoolWorld, PoolWorldOptions } from "./pool-world.ts";
import { startPoolWorld } from "./pool-world.ts";
import { set, setStatus } from "./world.ts";

let given: PoolWorld;
const start = async (options: PoolWorldOptions = {}): Promise<void> => {
  given = await startPoolWorld(options);
};
afterEach(() => given.world.stop());

const until = (condition: () => boolean | Promise<boolean>): Promise<void> =>
  given.world.until(async () => {
    await given.serve();
    return condition();
  });

const hasReady = (count: number) => async (): Promise<boolean> => {
  const { metadata, spec, status } = await given.pool();
  return (
    status?.readyReplicas === count &&
    status.replicas === count &&
    (spec.providerIDList ?? []).length === count &&
    (status.nodeRefs ?? []).length === count &&
    status.observedGeneration === metadata.generation
  );
};

const isGone = async (): Promise<boolean> => (await given.world.api.find(MachinePool, key("pool"))) === undefined;

describe("a MachinePool", () => {
  it.each([
    ["newer", false],
    ["older", true],
  ])("becomes its machines' Nodes through a provider of the %s contract", async (_, old) => {
    await start({ old });
    await given.create(2);
    await until(hasReady(2));
    await given.world.settle();
    const { metadata, spec, status } = await given.pool();
    expect(metadata).toMatchObject({
      labels: { [Label.clusterName]: "prod" },
      finalizers: ["machinepool.cluster.x-k8s.io"],
      ownerReferences: [{ kind: Cluster.kind, name: "prod" }],
    });
    expect(spec.template.spec.bootstrap.dataSecretName).toBe("pool-data");
    expect(spec.providerIDList).toEqual(["test://pool-1", "test://pool-2"]);
    expect(status).toMatchObject({
      initialization: { bootstrapDataSecretCreated: true, infrastructureProvisioned: true },
      replicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
      upToDateReplicas: 2,
      versions: [{ version: "v1.33.4", replicas: 2 }],
      phase: "Running",
      deprecated: { v1beta1: { readyReplicas: 2, availableReplicas: 2, unavailableReplicas: 0 } },
    });
    expect(status?.nodeRefs?.map(({ name }) => name)).toEqual(["node-pool-1", "node-pool-2"]);
    const conditions = ["Available", "BootstrapConfigReady", "InfrastructureReady"];
    const pool = await given.pool();
    expect(conditions.map((type) => findCondition(pool, type)?.status)).toEqual(["True", "True", "True"]);
    expect(findCondition(pool, "ScalingUp")?.status).toBe("False");
    const older = status?.deprecated?.v1beta1?.conditions?.map(({ type, status: value }) => [type, value]);
    expect(older).toEqual(
      ["Ready", "BootstrapReady", "InfrastructureReady", "ReplicasReady"].map((type) => [type, "True"]).sort(byReady),
    );
    for (const kind of [given.infrastructure, providerKinds.config]) {
      const object = await given.world.api.get(kind.resource, key("pool"));
      expect(controllerOf(object)).toMatchObject({ kind: MachinePool.kind, name: "pool" });
      expect(object.metadata.labels?.[Label.clusterName]).toBe("prod");
    }
    const node = await given.world.workload.get(NodeResource, { name: "node-pool-1" });
    expect(node.metadata.annotations).toMatchObject({
      [Annotation.nodeClusterName]: "prod",
      [Annotation.nodeOwnerKind]: MachinePool.kind,
      [Annotation.nodeOwnerName]: "pool",
    });
    expect(node.metadata.annotations).not.toHaveProperty(Annotation.nodeMachine);
    expect(node.metadata.labels).toMatchObject({ "node.cluster.x-k8s.io/tier": "pool" });
    expect((node["spec"] as { readonly taints?: unknown }).taints).toBeUndefined();
    expect((await clusterNamed(given.world))?.status?.workers).toMatchObject({ desiredReplicas: 2, readyReplicas: 2 });
    expect(await given.list(Machine)).toEqual([]);
  });

  it("writes nothing once everything is as it should be, also after a restart", async () => {
    await start({ machines: true });
    await given.create(2);
    await until(hasReady(2));
    await given.world.settle();
    await given.world.restart();
    await given.world.settle();
    const writes = (): number => given.world.requests.filter((call) => !call.startsWith("GET")).length;
    const before = writes();
    await given.world.settle();
    expect(writes()).toBe(before);
  });

  it("says what it waits for, and in which phase it is", async () => {
    await start();
    await given.create(1);
    await given.world.settle();
    expect((await given.pool()).status?.phase).toBe("Pending");
    expect(findCondition(await given.pool(), "BootstrapConfigReady")).toMatchObject({ status: "False" });
    const config = await given.world.api.get(providerKinds.config.resource, key("pool"));
    await setStatus(given.world, providerKinds.config.resource, config, {
      initialization: { dataSecretCreated: true },
      dataSecretName: "data",
    });
    await given.world.until(async () => (await given.pool()).status?.phase === "Provisioning");
    await until(hasReady(1));
    await set(given.world, MachinePool, await given.pool(), { spec: { replicas: 3 } });
    await given.world.until(async () => (await given.pool()).status?.phase === "ScalingUp");
    expect(findCondition(await given.pool(), "ScalingUp")?.message).toBe("Scaling up from 1 to 3 replicas");
    await until(hasReady(3));
    await given.world.until(async () => (await given.pool()).status?.phase === "Running");
    const annotations = { [Annotation.replicasManagedBy]: "autoscaler" };
    await set(given.world, MachinePool, await given.pool(), { metadata: { annotations }, spec: { replicas: 4 } });
    await given.world.until(async () => (await given.pool()).status?.phase === "Scaling");
  });

  it("takes the Nodes along of machines that the infrastructure does not have any more", async () => {
    await start();
    await given.create(3);
    await until(hasReady(3));
    await given.world.settle();
    await set(given.world, MachinePool, await given.pool(), { spec: { replicas: 1 } });
    await until(hasReady(1));
    await until(async () => (await given.nodes()).length === 1);
    expect(await given.nodes()).toEqual(["node-pool-1"]);
  });

  it("counts machines as available only after minReadySeconds", async () => {
    await start();
    await given.create(1, { minReadySeconds: 600 });
    await until(hasReady(1));
    const node = await given.world.workload.get(NodeResource, { name: "node-pool-1" });
    const { conditions = [] } = node["status"] as { readonly conditions?: readonly { readonly type: string }[] };
    const lastTransitionTime = new Date(given.world.clock.now()).toISOString();
    const timed = conditions.map((condition) => ({ ...condition, lastTransitionTime }));
    await given.world.workload.patch(
      NodeResource,
      { name: "node-pool-1" },
      { type: "merge", body: { status: { conditions: timed } } },
      { subresource: "status" },
    );
    await given.world.until(async () => (await given.pool()).status?.availableReplicas === 0);
    expect(findCondition(await given.pool(), "Available")?.status).toBe("False");
    await given.world.clock.advance(600_000);
    await given.world.until(async () => (await given.pool()).status?.availableReplicas === 1);
  });

  it("follows its bootstrap config when it names another one", async () => {
    await start();
    await given.create(1);
    await until(hasReady(1));
    const { resource } = providerKinds.config;
    const first = await given.world.api.get(resource, key("pool"));
    const second = { ...first, metadata: { name: "next", namespace: "default" } };
    const made = await given.world.api.create(resource, second);
    const configRef = { ...providerKinds.config.ref, name: "next" };
    const template = { spec: { bootstrap: { configRef } } };
    await set(given.world, MachinePool, await given.pool(), { spec: { template } });
    await setStatus(given.world, resource, made, {
      initialization: { dataSecretCreated: true },
      dataSecretName: "next-data",
    });
    await given.world.until(
      async () => (await given.pool()).spec.template.spec.bootstrap.dataSecretName === "next-data",
    );
  });

  it("is left alone while it is paused", async () => {
    await start();
    await set(given.world, Cluster, (await clusterNamed(given.world)) as Cluster, { spec: { paused: true } });
    await given.create(1);
    await given.world.until(async () => findCondition(await given.pool(), "Paused")?.status === "True");
    await given.world.settle();
    const infra = await given.world.api.get(given.infrastructure.resource, key("pool"));
    expect(infra.metadata.ownerReferences).toBeUndefined();
    await set(given.world, Cluster, (await clusterNamed(given.world)) as Cluster, { spec: { paused: null } });
    await until(hasReady(1));
  });

  it("says that its infrastructure is lost", async () => {
    await start();
    await given.create(1);
    await until(hasReady(1));
    await given.world.api.delete(given.infrastructure.resource, key("pool"));
    await given.world.until(
      async () => (await given.pool()).status?.deprecated?.v1beta1?.failureReason === "InvalidConfiguration",
    );
    expect(findCondition(await given.pool(), "InfrastructureReady")).toMatchObject({
      status: "False",
      reason: "ObjectDeleted",
    });
  });

  it("goes after its infrastructure, its config and its Nodes, in this order, and before its Cluster's infrastructure", async () => {
    await start();
    await given.create(2);
    await until(hasReady(2));
    await given.world.settle();
    await hold(given.world, given.infrastructure, "pool");
    await given.world.api.delete(MachinePool, key("pool"));
    await given.world.until(
      async () => findCondition(await given.pool(), "Deleting")?.reason === "WaitingForInfrastructureDeletion",
    );
    expect((await given.pool()).status?.phase).toBe("Deleting");
    const config = await given.world.api.get(providerKinds.config.resource, key("pool"));
    expect(config.metadata.deletionTimestamp).toBeUndefined();
    expect(await given.nodes()).toHaveLength(2);
    await release(given.world, given.infrastructure, "pool");
    await given.world.until(isGone);
    expect(await given.names(providerKinds.config.resource)).toEqual([]);
    expect(await given.nodes()).toEqual([]);
  });

  it("says why its Nodes cannot be deleted", async () => {
    await start();
    await given.create(1);
    await until(hasReady(1));
    const secret = { namespace, name: "prod-kubeconfig" };
    await given.world.api.patch(SecretResource, secret, { type: "merge", body: { data: { value: null } } });
    await given.world.api.delete(MachinePool, key("pool"));
    await given.world.until(async () => findCondition(await given.pool(), "Deleting")?.reason === "DeletingNodes");
    const says = "the workload cluster cannot be reached: Secret default/prod-kubeconfig has no key value";
    await given.world.until(async () => findCondition(await given.pool(), "Deleting")?.message.includes(says) ?? false);
  });

  it("says why its infrastructure cannot be read while it is deleted", async () => {
    await start();
    await given.create(1);
    await until(hasReady(1));
    await hold(given.world, given.infrastructure, "pool");
    const { plural, group } = given.infrastructure.resource;
    const labels = { "cluster.x-k8s.io/v1beta1": null, "cluster.x-k8s.io/v1beta2": null };
    const definition = { name: `${plural}.${group}` };
    await given.world.api.patch(CustomResourceDefinitionResource, definition, {
      type: "merge",
      body: { metadata: { labels } },
    });
    await given.world.api.delete(MachinePool, key("pool"));
    const says = /^TestMachinePool could not be read: .*label/;
    await given.world.until(async () => says.test(findCondition(await given.pool(), "Deleting")?.message ?? ""));
  });

  it("goes with its Cluster, before the infrastructure of that", async () => {
    await start({ machines: true });
    await given.create(2);
    await until(hasReady(2));
    await given.world.api.delete(Cluster, key("prod"));
    await until(async () => {
      const pool = await given.world.api.find(MachinePool, key("pool"));
      const infra = await given.world.api.find(providerKinds.cluster.resource, key("prod"));
      expect(pool === undefined || infra?.metadata.deletionTimestamp === undefined).toBe(true);
      return (await clusterNamed(given.world)) === undefined;
    });
  });
});

/** The order in which conditions are stored: Ready first, then by name. */
const byReady = ([a = ""]: readonly string[], [b = ""]: readonly string[]): number =>
  a === "Ready" ? -1 : b === "Ready" ? 1 : a < b ? -1 : 1;

describe("a MachinePool whose machines are Machines", () => {
  const machines = () => given.list(Machine);

  it("has a Machine for each infrastructure machine, which becomes Running", async () => {
    await start({ machines: true });
    await given.create(2, { deletion: { nodeDrainTimeoutSeconds: 30 } });
    await until(hasReady(2));
    expect(await given.names(Machine)).toEqual(["pool-1", "pool-2"]);
    for (const machine of await machines()) {
      expect(controllerOf(machine)).toMatchObject({ kind: MachinePool.kind, name: "pool" });
      expect(machine.metadata.labels).toMatchObject({
        [Label.poolName]: "pool",
        [Label.clusterName]: "prod",
        "node.cluster.x-k8s.io/tier": "pool",
      });
      expect(machine.spec.infrastructureRef).toMatchObject({ kind: "TestMachine", name: machine.metadata.name });
      expect(machine.spec.deletion?.nodeDrainTimeoutSeconds).toBe(30);
      expect(machine.status?.phase).toBe("Running");
      expect(findCondition(machine, "UpToDate")?.status).toBe("True");
    }
    await until(async () => (await given.pool()).status?.upToDateReplicas === 2);
    const pool = await given.pool();
    expect(findCondition(pool, "MachinesReady")?.status).toBe("True");
    expect(pool.status?.phase).toBe("Running");
    const infra = await given.world.api.get(providerKinds.machine.resource, key("pool-1"));
    expect(controllerOf(infra)).toMatchObject({ kind: Machine.kind, name: "pool-1" });
  });

  it("calls Machines outdated whose version is another one, or whose infrastructure says so", async () => {
    await start({ machines: true });
    await given.create(2);
    await until(hasReady(2));
    const infra = await given.world.api.get(providerKinds.machine.resource, key("pool-1"));
    const upToDate = { type: "UpToDate", status: "False", reason: "Old", message: "the image is another one" };
    await setStatus(given.world, providerKinds.machine.resource, infra, {
      initialization: { provisioned: true },
      conditions: [{ ...upToDate, lastTransitionTime: "2026-01-01T00:00:00Z" }],
    });
    const said = async (name: string) => {
      const machine = await given.world.api.get(Machine, key(name));
      return findCondition(machine, "UpToDate")?.message;
    };
    await given.world.until(async () => (await said("pool-1")) === "* TestMachine: the image is another one");
    const template = { spec: { version: "v1.34.0" } };
    await set(given.world, MachinePool, await given.pool(), { spec: { template } });
    await given.world.until(async () => (await said("pool-2")) === "* Version v1.33.4, v1.34.0 required");
    await given.world.until(async () => (await given.pool()).status?.upToDateReplicas === 0);
  });

  it("replaces a Machine that is deleted, whose machine and Node go with it", async () => {
    await start({ machines: true });
    await given.create(2);
    await until(hasReady(2));
    // Without a control-plane Machine the Nodes are left alone.
    await createMachine(given.world, "cp", { labels: { [Label.controlPlane]: "" } });
    await given.world.api.delete(Machine, key("pool-1"));
    await until(async () => (await given.names(Machine)).join() === "cp,pool-2,pool-3" && (await hasReady(2)()));
    expect(await given.nodes()).toEqual(["node-pool-2", "node-pool-3"]);
  });

  it("lets a Machine go whose infrastructure machine was taken away", async () => {
    await start({ machines: true });
    await given.create(2);
    await until(hasReady(2));
    await given.world.api.delete(providerKinds.machine.resource, key("pool-1"));
    await until(async () => !(await given.names(Machine)).includes("pool-1"));
    await until(hasReady(2));
    expect(await given.names(Machine)).toEqual(["pool-2", "pool-3"]);
  });

  it("adopts Machines that lost their owner", async () => {
    await start({ machines: true });
    await given.create(1);
    await until(hasReady(1));
    await set(given.world, Machine, await given.world.api.get(Machine, key("pool-1")), {
      metadata: { ownerReferences: null },
    });
    await until(async () => controllerOf(await given.world.api.get(Machine, key("pool-1")))?.kind === MachinePool.kind);
    expect(await given.names(Machine)).toEqual(["pool-1"]);
  });

  it("deletes its Machines before its infrastructure", async () => {
    await start({ machines: true });
    await given.create(2);
    await until(hasReady(2));
    await given.world.api.delete(MachinePool, key("pool"));
    await until(async () => {
      const infra = await given.world.api.find(given.infrastructure.resource, key("pool"));
      const left = (await machines()).length;
      expect(left === 0 || infra?.metadata.deletionTimestamp === undefined).toBe(true);
      return isGone();
    });
    expect(await given.names(providerKinds.machine.resource)).toEqual([]);
    expect(await given.nodes()).toEqual([]);
  });
});

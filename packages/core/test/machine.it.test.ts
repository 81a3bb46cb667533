import { Annotation, Finalizer, Label, NodeSyncDomain } from "@capstan/contract";
import { NodeResource } from "@capstan/contract/wire";
import { resource } from "@capstan/schema";
import { findCondition } from "@capstan/kit/machines";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Cluster, Machine } from "../src/api.ts";
import {
  bootstrap,
  clusterNamed,
  createCluster,
  createMachine,
  hold,
  join,
  key,
  machineNamed,
  provision,
  provisionCluster,
  release,
} from "./hand-provider.ts";
import { providerKinds } from "./provider-kinds.ts";
import type { World } from "./world.ts";
import { set, setStatus, startWorld, unavailable } from "./world.ts";

const Pods = resource({ group: "", version: "v1", kind: "Pod", plural: "pods" });

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.stop();
});

const phaseOf = async (name: string): Promise<string | undefined> => (await machineNamed(world, name))?.status?.phase;
const becomes = (name: string, phase: string): Promise<void> =>
  world.until(async () => (await phaseOf(name)) === phase);
const deleting = async (name: string): Promise<string | undefined> => {
  const machine = await machineNamed(world, name);
  return machine === undefined ? undefined : findCondition(machine, "Deleting")?.reason;
};

describe("a Machine on its way to Running", () => {
  it("takes possession of its objects", async () => {
    await createCluster(world);
    await createMachine(world, "cp", {
      labels: { [Label.controlPlane]: "", [`${NodeSyncDomain.role}/control-plane`]: "" },
      spec: { version: "1.33.4" },
    });
    await becomes("cp", "Pending");
    await world.settle();
    const machine = await world.api.get(Machine, key("cp"));
    expect(machine.metadata).toMatchObject({
      finalizers: [Finalizer.machine],
      labels: { [Label.clusterName]: "prod" },
      ownerReferences: [{ kind: "Cluster", name: "prod" }],
    });
    expect(machine.spec).toMatchObject({ version: "v1.33.4", deletion: { nodeDeletionTimeoutSeconds: 10 } });
    for (const kind of [providerKinds.config, providerKinds.machine]) {
      const { metadata } = await world.api.get(kind.resource, key("cp"));
      expect(metadata.labels).toEqual({ [Label.clusterName]: "prod" });
      expect(metadata.ownerReferences).toEqual([
        {
          apiVersion: machine.apiVersion,
          kind: "Machine",
          name: "cp",
          uid: machine.metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ]);
    }
  });

  it("goes from phase to phase as its providers report", async () => {
    await provisionCluster(world);
    await bootstrap(world, "cp");
    await becomes("cp", "Provisioning");
    expect((await world.api.get(Machine, key("cp"))).spec.bootstrap.dataSecretName).toBe("cp-data");
    await provision(world, "cp", { addresses: [{ type: "InternalIP", address: "10.0.0.1" }], failureDomain: "a" });
    await becomes("cp", "Provisioned");
    const machine = await world.api.get(Machine, key("cp"));
    expect(machine.spec.providerID).toBe("test://cp");
    expect(machine.status).toMatchObject({
      addresses: [{ type: "InternalIP", address: "10.0.0.1" }],
      failureDomain: "a",
      initialization: { bootstrapDataSecretCreated: true, infrastructureProvisioned: true },
    });
  });

  it("finds its Node, marks it, and reports everything", async () => {
    await join(world, "cp");
    await becomes("cp", "Running");
    await world.settle();
    const machine = await world.api.get(Machine, key("cp"));
    expect(machine.status).toMatchObject({
      nodeRef: { name: "node-cp" },
      nodeInfo: { kubeletVersion: "v1.33.4", osImage: "Test OS", architecture: "" },
      observedGeneration: machine.metadata.generation,
    });
    const node = await world.workload.get(NodeResource, { name: "node-cp" });
    expect(node.metadata.annotations).toMatchObject({
      [Annotation.nodeMachine]: "cp",
      [Annotation.nodeClusterName]: "prod",
      [Annotation.nodeLabelsFromMachine]: `${NodeSyncDomain.role}/control-plane`,
    });
    expect(node.metadata.labels).toHaveProperty([`${NodeSyncDomain.role}/control-plane`]);
    expect(node["spec"]).not.toHaveProperty("taints");
    const statuses = machine.status?.conditions?.map(({ type, status }) => `${type}=${status}`);
    expect(statuses).toEqual([
      "Available=True",
      "Ready=True",
      "BootstrapConfigReady=True",
      "InfrastructureReady=True",
      "NodeHealthy=True",
      "NodeReady=True",
      "Updating=False",
      "Paused=False",
      "Deleting=False",
    ]);
    expect(machine.status?.deprecated?.v1beta1?.conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual([
      "Ready=True",
      "BootstrapReady=True",
      "InfrastructureReady=True",
      "NodeHealthy=True",
    ]);
  });

  it("makes its Cluster available, which knows what older clients read too", async () => {
    const cluster = await world.api.get(Cluster, key("prod"));
    expect(cluster.spec.controlPlaneEndpoint).toEqual({ host: "203.0.113.40", port: 6443 });
    expect(cluster.status).toMatchObject({
      phase: "Provisioned",
      initialization: { controlPlaneInitialized: true, infrastructureProvisioned: true },
      failureDomains: [{ name: "a", controlPlane: true }],
      controlPlane: { desiredReplicas: 1, replicas: 1, readyReplicas: 1, availableReplicas: 1 },
    });
    expect(findCondition(cluster, "Available")).toMatchObject({ status: "True" });
    const old = cluster.status?.deprecated?.v1beta1?.conditions ?? [];
    expect(old.find(({ type }) => type === "ControlPlaneInitialized")).toMatchObject({ status: "True" });
  });

  it("then leaves everything in peace, also after a restart", async () => {
    await world.settle();
    world.requests.length = 0;
    await set(world, Machine, await world.api.get(Machine, key("cp")), {
      metadata: { annotations: { look: "again" } },
    });
    await world.settle();
    expect(world.requests).toEqual([]);
    await world.restart();
    await world.settle();
    expect(world.requests.filter((request) => !request.startsWith("GET"))).toEqual([]);
  });

  it("does not depend on the phase, and never goes back", async () => {
    const machine = await world.api.get(Machine, key("cp"));
    await setStatus(world, Machine, machine, { phase: "Failed" });
    await becomes("cp", "Running");
    const infra = await world.api.get(providerKinds.machine.resource, key("cp"));
    await setStatus(world, providerKinds.machine.resource, infra, {
      initialization: { provisioned: false },
      addresses: [{ type: "InternalIP", address: "10.0.0.2" }],
    });
    await world.until(async () => (await machineNamed(world, "cp"))?.status?.addresses?.[0]?.address === "10.0.0.2");
    await setStatus(world, providerKinds.machine.resource, infra, { addresses: null });
    await world.until(async () => (await machineNamed(world, "cp"))?.status?.addresses === undefined);
    expect(await phaseOf("cp")).toBe("Running");
  });
});

describe("bootstrap data", () => {
  it("given by the user needs no config", async () => {
    await createMachine(world, "own", { spec: { bootstrap: { dataSecretName: "mine" } } });
    await becomes("own", "Provisioning");
    const machine = await world.api.get(Machine, key("own"));
    expect(machine.spec.bootstrap).toEqual({ dataSecretName: "mine" });
    expect(findCondition(machine, "BootstrapConfigReady")).toMatchObject({
      status: "True",
      reason: "DataSecretProvided",
    });
  });

  it("may be empty, which skips the step", async () => {
    await createMachine(world, "empty", { spec: { bootstrap: { dataSecretName: "" } } });
    await becomes("empty", "Provisioning");
  });

  it("is not taken from a config that is not ready", async () => {
    await createMachine(world, "waiting");
    await becomes("waiting", "Pending");
    await world.settle();
    const machine = await world.api.get(Machine, key("waiting"));
    expect(machine.spec.bootstrap).not.toHaveProperty("dataSecretName");
    expect(findCondition(machine, "Ready")?.message).toContain(
      "* BootstrapConfigReady: TestConfig status.initialization.dataSecretCreated is false",
    );
  });
});

describe("pausing", () => {
  it("stops everything but the condition that says so", async () => {
    const machine = await world.api.get(Machine, key("waiting"));
    await set(world, Machine, machine, { metadata: { annotations: { [Annotation.paused]: "" } } });
    await world.until(async () => {
      const paused = await machineNamed(world, "waiting");
      return paused !== undefined && findCondition(paused, "Paused")?.status === "True";
    });
    await bootstrap(world, "waiting");
    await world.settle();
    expect(await phaseOf("waiting")).toBe("Pending");
    await set(world, Machine, machine, { metadata: { annotations: { [Annotation.paused]: null } } });
    await becomes("waiting", "Provisioning");
    expect(findCondition(await world.api.get(Machine, key("waiting")), "Paused")).toMatchObject({ status: "False" });
  });
});

const unhook = async (hook: string): Promise<void> => {
  const machine = await world.api.get(Machine, key("worker"));
  await set(world, Machine, machine, { metadata: { annotations: { [hook]: null } } });
};

const pod = (name: string, more: object = {}) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name,
    namespace: "default",
    ...more,
  },
  spec: { nodeName: "node-worker", containers: [{ name: "c", image: "i" }] },
});

describe("a Machine on its way out", () => {
  const hooks = {
    drain: `${Annotation.preDrainHookPrefix}test`,
    terminate: `${Annotation.preTerminateHookPrefix}test`,
  };
  it("waits for pre-drain hooks before it touches the Node", async () => {
    await createMachine(world, "worker");
    await bootstrap(world, "worker");
    await provision(world, "worker");
    await join(world, "worker");
    await becomes("worker", "Running");
    await world.workload.create(Pods, pod("app"));
    await world.workload.create(Pods, pod("stays", { labels: { [Label.drain]: "skip" } }));
    await hold(world, providerKinds.machine, "worker");
    await hold(world, providerKinds.config, "worker");
    const machine = await world.api.get(Machine, key("worker"));
    await set(world, Machine, machine, { metadata: { annotations: { [hooks.drain]: "", [hooks.terminate]: "" } } });
    await world.api.delete(Machine, key("worker"));
    await world.until(async () => (await deleting("worker")) === "WaitingForPreDrainHook");
    await world.settle();
    const node = await world.workload.get(NodeResource, { name: "node-worker" });
    expect(node["spec"]).not.toHaveProperty("unschedulable", true);
    expect(await phaseOf("worker")).toBe("Deleting");
  });

  it("then drains the Node of what may be evicted", async () => {
    await unhook(hooks.drain);
    await world.until(async () => (await deleting("worker")) === "DrainingNode");
    const machine = await world.api.get(Machine, key("worker"));
    expect(findCondition(machine, "Deleting")?.message).toContain(
      "* Pod default/app: deletionTimestamp set, but still not removed from the Node",
    );
    expect((await world.workload.get(NodeResource, { name: "node-worker" }))["spec"]).toHaveProperty(
      "unschedulable",
      true,
    );
    expect((await world.workload.get(Pods, key("app"))).metadata.deletionTimestamp).toBeDefined();
    expect((await world.workload.get(Pods, key("stays"))).metadata.deletionTimestamp).toBeUndefined();
  });

  it("waits for pre-terminate hooks before it touches the machine", async () => {
    await world.workload.delete(Pods, key("app"), { gracePeriodSeconds: 0 });
    await world.until(async () => (await deleting("worker")) === "WaitingForPreTerminateHook");
    await world.settle();
    const { metadata } = await world.api.get(providerKinds.machine.resource, key("worker"));
    expect(metadata.deletionTimestamp).toBeUndefined();
  });

  it("deletes infrastructure, then bootstrap config, then Node, each once the one before is gone", async () => {
    await unhook(hooks.terminate);
    await world.until(async () => (await deleting("worker")) === "WaitingForInfrastructureDeletion");
    await world.settle();
    const config = await world.api.get(providerKinds.config.resource, key("worker"));
    expect(config.metadata.deletionTimestamp).toBeUndefined();
    await release(world, providerKinds.machine, "worker");
    await world.until(async () => (await deleting("worker")) === "WaitingForBootstrapDeletion");
    await world.settle();
    expect(await world.workload.find(NodeResource, { name: "node-worker" })).toBeDefined();
    await release(world, providerKinds.config, "worker");
    await world.until(async () => (await machineNamed(world, "worker")) === undefined);
    expect(await world.workload.find(NodeResource, { name: "node-worker" })).toBeUndefined();
  });
});

describe("a deletion that took longer than the Node's time limit", () => {
  it("tries more than once to delete the Node", async () => {
    await createMachine(world, "late");
    await bootstrap(world, "late");
    await provision(world, "late");
    await join(world, "late");
    await becomes("late", "Running");
    await hold(world, providerKinds.machine, "late");
    await world.api.delete(Machine, key("late"));
    await world.until(async () => (await deleting("late")) === "WaitingForInfrastructureDeletion");
    await world.clock.advance(60_000);
    let attempts = 0;
    world.disturb = (call) => {
      if (call !== "DELETE workload/Node") return undefined;
      attempts += 1;
      if (attempts === 1) throw unavailable("the workload cluster does not answer");
      return undefined;
    };
    await release(world, providerKinds.machine, "late");
    await world.until(async () => (await machineNamed(world, "late")) === undefined);
    expect(attempts).toBe(2);
    expect(await world.workload.find(NodeResource, { name: "node-late" })).toBeUndefined();
    world.disturb = () => undefined;
  });

  it("gives up at last, and lets the Machine go", async () => {
    await createMachine(world, "lost");
    await bootstrap(world, "lost");
    await provision(world, "lost");
    await join(world, "lost");
    await becomes("lost", "Running");
    world.disturb = (call) => {
      if (call === "DELETE workload/Node") throw unavailable("the workload cluster does not answer");
      return undefined;
    };
    await world.api.delete(Machine, key("lost"));
    await world.until(async () => (await machineNamed(world, "lost")) === undefined);
    expect(await world.workload.find(NodeResource, { name: "node-lost" })).toBeDefined();
    world.disturb = () => undefined;
  });
});

describe("a process that dies again and again", () => {
  it.each([1, 2, 3])(
    "brings a Machine up and takes it down all the same, dying at every write number %s",
    async (every) => {
      const name = `mortal-${every}`;
      let writes = 0;
      let dead = false;
      world.disturb = (request) => {
        if (dead) throw unavailable("the process is gone");
        if (request.startsWith("GET") || request.endsWith("/events")) return undefined;
        writes += 1;
        dead = writes % (every + 1) === 0;
        return dead ? "lose" : undefined;
      };
      const revived = async (reached: () => Promise<boolean>): Promise<void> =>
        world.until(async () => {
          if (dead) {
            dead = false;
            await world.restart();
          }
          return reached();
        });
      await createMachine(world, name);
      await bootstrap(world, name);
      await provision(world, name);
      await join(world, name);
      await revived(async () => (await phaseOf(name)) === "Running");
      await world.api.delete(Machine, key(name));
      await revived(async () => (await machineNamed(world, name)) === undefined);
      world.disturb = () => undefined;
      await world.restart();
      expect(await world.workload.find(NodeResource, { name: `node-${name}` })).toBeUndefined();
      for (const kind of [providerKinds.config, providerKinds.machine]) {
        expect(await world.api.find(kind.resource, key(name))).toBeUndefined();
      }
    },
  );
});

describe("a Cluster on its way out", () => {
  it("takes its Machines along without draining, and its infrastructure last", async () => {
    await hold(world, providerKinds.machine, "cp");
    await world.api.delete(Cluster, key("prod"));
    await world.until(async () => (await deleting("cp")) === "WaitingForInfrastructureDeletion");
    await world.settle();
    const cluster = await world.api.get(Cluster, key("prod"));
    expect(cluster.status?.phase).toBe("Deleting");
    expect(findCondition(cluster, "Deleting")).toMatchObject({
      reason: "WaitingForWorkersDeletion",
      message: "* Control plane Machines: cp",
    });
    const infra = await world.api.get(providerKinds.cluster.resource, key("prod"));
    expect(infra.metadata.deletionTimestamp).toBeUndefined();
    await release(world, providerKinds.machine, "cp");
    await world.until(async () => (await clusterNamed(world)) === undefined);
    expect(await world.api.find(providerKinds.cluster.resource, key("prod"))).toBeUndefined();
    expect(await world.workload.find(NodeResource, { name: "node-cp" })).toBeDefined();
  });
});

import { Annotation, Label, NodeSyncDomain, SecretPurpose } from "@capstan/contract";
import { clusterSecretName, NodeResource, SecretResource } from "@capstan/contract/wire";
import type { KubeObject, Resource } from "@capstan/schema";
import { findCondition } from "@capstan/kit/machines";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Cluster, Machine } from "../src/api.ts";
import {
  bootstrap,
  conditionOfCluster,
  createCluster,
  createMachine,
  join,
  key,
  machineNamed,
  ownersOf,
  providerIDOf,
  providerObject,
  provision,
  provisionCluster,
} from "./hand-provider.ts";
import { providerKinds } from "./provider-kinds.ts";
import type { World } from "./world.ts";
import { set, setStatus, startWorld } from "./world.ts";

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(async () => {
  await world.stop();
});

const becomes = (name: string, phase: string): Promise<void> =>
  world.until(async () => (await machineNamed(world, name))?.status?.phase === phase);
const conditionOf = async (name: string, type: string) =>
  findCondition(await world.api.get<KubeObject>(Machine, key(name)), type);
const clusterConditionOf = (type: string) => conditionOfCluster(world, type);
const owners = (kind: Resource, name: string) => ownersOf(world, kind, name);

/** A Machine that runs. */
const run = async (name: string, labels: Readonly<Record<string, string>> = {}): Promise<void> => {
  await createMachine(world, name, { labels });
  await bootstrap(world, name);
  await provision(world, name);
  await join(world, name);
  await becomes(name, "Running");
};

describe("providers of contract v1beta1", () => {
  it("are read where they write", async () => {
    await createCluster(world);
    await provisionCluster(world);
    const { oldConfig, oldMachine } = providerKinds;
    await world.api.create(oldConfig.resource, providerObject(oldConfig, "old"));
    await world.api.create(oldMachine.resource, providerObject(oldMachine, "old"));
    await createMachine(world, "old", {
      spec: {
        bootstrap: { configRef: { ...oldConfig.ref, name: "old" } },
        infrastructureRef: { ...oldMachine.ref, name: "old" },
      },
    });
    await becomes("old", "Pending");
    await world.settle();
    expect((await conditionOf("old", "InfrastructureReady"))?.message).toBe("OldMachine status.ready is false");
    const config = await world.api.get(oldConfig.resource, key("old"));
    await setStatus(world, oldConfig.resource, config, { ready: true, dataSecretName: "old-data" });
    await becomes("old", "Provisioning");
    const infra = await set(world, oldMachine.resource, await world.api.get(oldMachine.resource, key("old")), {
      spec: { providerID: "test://old", failureDomain: "b" },
    });
    const conditions = [
      {
        type: "Ready",
        status: "False",
        severity: "Info",
        reason: "Warming",
        lastTransitionTime: "2026-01-01T00:00:00Z",
      },
    ];
    await setStatus(world, oldMachine.resource, infra, {
      ready: true,
      conditions,
      failureReason: "Odd",
      failureMessage: "quite",
    });
    await becomes("old", "Provisioned");
    const machine = await world.api.get(Machine, key("old"));
    expect(machine.spec).toMatchObject({ failureDomain: "b", bootstrap: { dataSecretName: "old-data" } });
    expect(machine.status?.failureDomain).toBe("b");
    expect(findCondition(machine, "InfrastructureReady")).toMatchObject({ status: "False", reason: "Warming" });
    expect(machine.status?.deprecated?.v1beta1).toMatchObject({
      failureReason: "Odd",
      failureMessage: expect.stringMatching(
        /^Failure detected from referenced resource .*OldMachine with name "old": quite$/,
      ),
    });
  });
});

describe("pausing and moving", () => {
  it("does nothing while the Cluster is paused, and rebuilds lost owners afterwards", async () => {
    await createCluster(world);
    await provisionCluster(world);
    await run("cp", { [Label.controlPlane]: "" });
    await world.settle();
    const pause = async (paused: boolean): Promise<void> => {
      await set(world, Cluster, await world.api.get(Cluster, key("prod")), { spec: { paused } });
      const status = paused ? "True" : "False";
      await world.until(async () => (await conditionOf("cp", "Paused"))?.status === status);
    };
    await pause(true);
    await world.until(
      async () => (await clusterConditionOf("Paused"))?.message === "Cluster spec.paused is set to true",
    );
    expect(await clusterConditionOf("Paused")).toMatchObject({ status: "True" });
    const kinds = [Machine, providerKinds.machine.resource, providerKinds.config.resource];
    for (const kind of kinds) {
      await set(world, kind, await world.api.get<KubeObject>(kind, key("cp")), { metadata: { ownerReferences: null } });
    }
    await world.settle();
    for (const kind of kinds) expect(await owners(kind, "cp")).toEqual([]);
    await pause(false);
    await world.settle();
    expect(await owners(Machine, "cp")).toEqual(["Cluster prod"]);
    expect(await owners(providerKinds.machine.resource, "cp")).toEqual(["Machine cp"]);
    expect(await owners(providerKinds.config.resource, "cp")).toEqual(["Machine cp"]);
  });
});

describe("what goes wrong", () => {
  beforeEach(async () => {
    await createCluster(world);
    await provisionCluster(world);
  });

  it("infrastructure that vanishes is reported, and does not take the Machine back", async () => {
    await run("cp", { [Label.controlPlane]: "" });
    await world.api.delete(providerKinds.machine.resource, key("cp"));
    await world.until(async () => (await conditionOf("cp", "InfrastructureReady"))?.reason === "ObjectDeleted");
    const machine = await world.api.get(Machine, key("cp"));
    expect(machine.status).toMatchObject({
      phase: "Running",
      initialization: { infrastructureProvisioned: true },
      deprecated: { v1beta1: { failureReason: "InvalidConfiguration" } },
    });
  });

  it("a Node that vanishes is reported, and comes back when it does", async () => {
    await run("cp", { [Label.controlPlane]: "" });
    await world.workload.delete(NodeResource, { name: "node-cp" });
    await world.until(async () => (await conditionOf("cp", "NodeHealthy"))?.reason === "NodeDeleted");
    await join(world, "cp");
    await world.until(async () => (await conditionOf("cp", "NodeHealthy"))?.status === "True");
  });

  it("two Nodes of one machine are an error that names both", async () => {
    await run("cp", { [Label.controlPlane]: "" });
    await world.workload.create(NodeResource, {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name: "twin" },
      spec: { providerID: providerIDOf("cp") },
    });
    await world.until(async () => (await conditionOf("cp", "NodeHealthy"))?.reason === "InternalError");
  });

  it("a kind that is not installed is waited for", async () => {
    await createMachine(world, "m", {
      spec: { infrastructureRef: { ...providerKinds.machine.ref, kind: "NoSuchMachine", name: "m" } },
    });
    await world.until(async () => (await conditionOf("m", "InfrastructureReady"))?.reason === "InternalError");
    await bootstrap(world, "m");
    await becomes("m", "Provisioning");
  });

  it("labels follow the Machine to its Node, and go again", async () => {
    const label = `${NodeSyncDomain.managed}/color`;
    await run("cp", { [Label.controlPlane]: "" });
    const node = () => world.workload.get(NodeResource, { name: "node-cp" });
    const color = async (value: string | null): Promise<void> => {
      await set(world, Machine, await world.api.get(Machine, key("cp")), { metadata: { labels: { [label]: value } } });
    };
    await color("blue");
    await world.until(async () => (await node()).metadata.labels?.[label] === "blue");
    await color(null);
    await world.until(async () => (await node()).metadata.labels?.[label] === undefined);
    expect((await node()).metadata.annotations?.[Annotation.nodeLabelsFromMachine]).toBe("");
  });

  it("a workload cluster that does not answer holds a deletion for as long as the Machine says, and no longer", async () => {
    await run("cp", { [Label.controlPlane]: "" });
    await run("worker");
    const spec = { deletion: { nodeDrainTimeoutSeconds: 60, nodeVolumeDetachTimeoutSeconds: 30 } };
    await set(world, Machine, await world.api.get(Machine, key("worker")), { spec });
    await world.until(async () => (await clusterConditionOf("RemoteConnectionProbe"))?.status === "True");
    const secret = await world.api.get(SecretResource, key(clusterSecretName("prod", SecretPurpose.kubeconfig)));
    const deaf = world.workloadKubeconfig.replace(/server: .*/, "server: https://127.0.0.1:1");
    await set(world, SecretResource, secret, { data: { value: Buffer.from(deaf).toString("base64") } });
    await world.until(async () => (await clusterConditionOf("RemoteConnectionProbe"))?.status === "False");
    await world.api.delete(Machine, key("worker"));
    await world.until(async () => (await conditionOf("worker", "Deleting"))?.reason === "DrainingNode");
    const begun = world.clock.now();
    expect(await world.api.find(providerKinds.machine.resource, key("worker"))).toBeDefined();
    await world.until(async () => (await machineNamed(world, "worker")) === undefined);
    const seconds = (world.clock.now() - begun) / 1000;
    expect(seconds).toBeGreaterThanOrEqual(90);
    expect(seconds).toBeLessThan(180);
  });
});

import { Label } from "@capstan/contract";
import { NodeResource, ownerReference } from "@capstan/contract/wire";
import type { HttpAnswer } from "@capstan/kube";
import type { KubeObject, Resource } from "@capstan/schema";
import { findCondition } from "@capstan/kit/machines";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Cluster, Machine } from "../src/api.ts";
import { createRunning } from "./health-check-world.ts";
import {
  clusterNamed,
  conditionOfCluster,
  createCluster,
  createMachine,
  key,
  machineNamed,
  namespace,
  providerObject,
  provisionCluster,
} from "./hand-provider.ts";
import { providerKinds } from "./provider-kinds.ts";
import type { World } from "./world.ts";
import { set, startWorld } from "./world.ts";

let world: World;
beforeEach(async () => {
  world = await startWorld();
  await createCluster(world);
  await provisionCluster(world);
});
afterEach(async () => {
  await world.stop();
});

const outage: HttpAnswer = {
  status: 500,
  headers: {},
  body: JSON.stringify({ apiVersion: "v1", kind: "Status", status: "Failure", code: 500, reason: "InternalError" }),
};

const conditionOf = async (name: string, type: string) => findCondition(await world.api.get(Machine, key(name)), type);
const owners = async (kind: Resource, name: string): Promise<readonly string[]> =>
  ((await world.api.get(kind, key(name))).metadata.ownerReferences ?? []).map((owner) => `${owner.kind} ${owner.name}`);

describe("what belongs to one object", () => {
  it("is not taken by another Machine", async () => {
    await createMachine(world, "first");
    await world.until(async () => (await machineNamed(world, "first"))?.status?.phase === "Pending");
    await world.settle();
    await createMachine(world, "second", {
      spec: { infrastructureRef: { ...providerKinds.machine.ref, name: "first" } },
    });
    await world.until(async () => (await conditionOf("second", "InfrastructureReady"))?.reason === "InternalError");
    expect((await conditionOf("second", "InfrastructureReady"))?.message).toContain(
      "already belongs to Machine first and cannot serve Machine second too",
    );
    expect(await owners(providerKinds.machine.resource, "first")).toEqual(["Machine first"]);
  });

  it("stays when another Machine that refers to it goes, and so does its Node", async () => {
    await createRunning(world, "cp", { [Label.controlPlane]: "" });
    await createRunning(world, "first");
    await createMachine(world, "second", {
      spec: {
        infrastructureRef: { ...providerKinds.machine.ref, name: "first" },
        bootstrap: { configRef: { ...providerKinds.config.ref, name: "first" } },
      },
    });
    await world.until(async () => (await conditionOf("second", "InfrastructureReady"))?.reason === "InternalError");
    await world.api.delete(Machine, key("second"));
    await world.until(async () => (await machineNamed(world, "second")) === undefined);
    await world.settle();
    for (const { resource } of [providerKinds.machine, providerKinds.config]) {
      expect((await world.api.find(resource, key("first")))?.metadata.uid).toBeDefined();
    }
    const node = await world.workload.get(NodeResource, { name: "node-first" });
    expect(node["spec"]).not.toHaveProperty("unschedulable");
    expect(await conditionOf("first", "Ready")).toMatchObject({ status: "True" });
  });

  it("stays although it was nobody's when another Machine that refers to it was deleted", async () => {
    const { resource, ref } = providerKinds.machine;
    await createRunning(world, "first");
    const first = await world.api.get(Machine, key("first"));
    const shared = await world.api.create(resource, providerObject(providerKinds.machine, "shared"));
    const path = `${resource.plural}/shared`;
    const isOf = (verb: string) => (call: string) => call.startsWith(verb) && call.endsWith(path);
    world.disturb = (call) => (/^(PATCH|DELETE)/.test(call) && call.endsWith(path) ? outage : undefined);
    await createMachine(world, "second", { spec: { infrastructureRef: { ...ref, name: "shared" } } });
    await world.until(() => world.requests.some(isOf("PATCH")));
    await world.api.delete(Machine, key("second"));
    await world.until(() => world.requests.some(isOf("DELETE")));
    world.blind = true;
    await set(world, resource, shared, { metadata: { ownerReferences: [ownerReference(Machine, first)] } });
    world.requests.length = 0;
    world.disturb = () => undefined;
    await world.until(() => world.requests.some(isOf("DELETE")) && world.running === 0);
    world.blind = false;
    await world.until(async () => (await machineNamed(world, "second")) === undefined);
    expect((await world.api.get(resource, key("shared"))).metadata).toMatchObject({ uid: shared.metadata.uid });
    expect(await owners(resource, "shared")).toEqual(["Machine first"]);
  });

  it("serves the first of two Clusters that both own it", async () => {
    const { resource } = providerKinds.cluster;
    await world.settle();
    const { apiVersion, kind, spec } = await world.api.get(Cluster, key("prod"));
    await world.kill();
    const { infrastructureRef = providerKinds.cluster.ref } = spec;
    const metadata = { name: "copy", namespace };
    const copy = await world.api.create<KubeObject>(Cluster, {
      apiVersion,
      kind,
      metadata,
      spec: { infrastructureRef },
    });
    const object = await world.api.get(resource, key("prod"));
    const before = object.metadata.ownerReferences ?? [];
    await set(world, resource, object, { metadata: { ownerReferences: [...before, ownerReference(Cluster, copy)] } });
    await world.restart();
    await world.until(
      async () => (await conditionOfCluster(world, "InfrastructureReady", "copy"))?.status === "Unknown",
    );
    await world.settle();
    expect(await conditionOfCluster(world, "InfrastructureReady")).toMatchObject({ status: "True" });
  });

  it("stays when another Cluster that refers to it goes", async () => {
    await world.settle();
    const { apiVersion, kind, spec } = await world.api.get(Cluster, key("prod"));
    const { infrastructureRef = providerKinds.cluster.ref } = spec;
    const copy: KubeObject = { apiVersion, kind, metadata: { name: "copy", namespace }, spec: { infrastructureRef } };
    await world.api.create(Cluster, copy);
    const said = async (): Promise<string> => {
      const found = await clusterNamed(world, "copy");
      return (found === undefined ? undefined : findCondition(found, "InfrastructureReady"))?.message ?? "";
    };
    await world.until(async () => (await said()).includes("TestCluster default/prod already belongs to Cluster prod"));
    expect((await clusterNamed(world, "copy"))?.status?.initialization?.infrastructureProvisioned).toBeUndefined();
    await world.api.delete(Cluster, key("copy"));
    await world.until(async () => (await clusterNamed(world, "copy")) === undefined);
    expect(await owners(providerKinds.cluster.resource, "prod")).toEqual(["Cluster prod"]);
  });
});

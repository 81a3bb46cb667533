import { Label } from "@capstan/contract";
import { NodeResource } from "@capstan/contract/wire";
import type { KubeObject, Resource } from "@capstan/schema";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Cluster, Machine } from "../src/api.ts";
import { findCondition } from "../src/object/conditions.ts";
import { createRunning } from "./health-check-world.ts";
import {
  clusterNamed,
  createCluster,
  createMachine,
  key,
  machineNamed,
  namespace,
  provisionCluster,
} from "./hand-provider.ts";
import { providerKinds } from "./provider-kinds.ts";
import type { World } from "./world.ts";
import { startWorld } from "./world.ts";

/** Real time: generous, for machines that are busy with other things. */
const timeout = 120_000;

let world: World;
beforeEach(async () => {
  world = await startWorld();
  await createCluster(world);
  await provisionCluster(world);
});
afterEach(async () => {
  await world.stop();
});

const conditionOf = async (name: string, type: string) => findCondition(await world.api.get(Machine, key(name)), type);
const owners = async (kind: Resource, name: string): Promise<readonly string[]> =>
  ((await world.api.get(kind, key(name))).metadata.ownerReferences ?? []).map((owner) => `${owner.kind} ${owner.name}`);

describe("what belongs to one object", { timeout }, () => {
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
    for (const { resource } of [providerKinds.machine, providerKinds.config])
      expect((await world.api.find(resource, key("first")))?.metadata.uid).toBeDefined();
    const node = await world.workload.get(NodeResource, { name: "node-first" });
    expect(node["spec"]).not.toHaveProperty("unschedulable");
    expect(await conditionOf("first", "Ready")).toMatchObject({ status: "True" });
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

import { Annotation, Label } from "@capstan/contract";
import { contractLabel, CustomResourceDefinitionResource, NodeResource } from "@capstan/contract/wire";
import { resource as resourceOf } from "@capstan/schema";
import { findCondition } from "@capstan/kit/machines";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Machine } from "../src/api.ts";
import { createRunning, nodeBecomes, startHealthWorld } from "./health-check-world.ts";
import {
  bootstrap,
  createMachine,
  join,
  key,
  machineNamed,
  providerIDOf,
  providerObject,
  provision,
} from "./hand-provider.ts";
import { providerKinds } from "./provider-kinds.ts";
import type { World } from "./world.ts";
import { set, setStatus } from "./world.ts";

const Events = resourceOf({ group: "", version: "v1", kind: "Event", plural: "events" });

let world: World;
beforeAll(async () => {
  world = await startHealthWorld([]);
});
afterAll(async () => {
  await world.stop();
});

const nodeOf = (name: string) => world.workload.get(NodeResource, { name: `node-${name}` });
const taintsOf = async (name: string): Promise<readonly unknown[]> => {
  const { taints = [] } = (await nodeOf(name))["spec"] as { readonly taints?: readonly unknown[] };
  return taints;
};
const change = async (name: string, body: object): Promise<unknown> =>
  set(world, Machine, await world.api.get(Machine, key(name)), { ...body });

const nodeNames = async () => (await world.workload.list(NodeResource)).items.map(({ metadata }) => metadata.name);

describe("a Node whose Machine was taken away with its finalizers", () => {
  it("goes once its kubelet has been silent for five minutes", async () => {
    await createRunning(world, "taken");
    await world.api.delete(Machine, key("taken"));
    const body = { metadata: { finalizers: null } };
    await world.api.patch(Machine, key("taken"), { type: "merge", body });
    await world.until(async () => (await machineNamed(world, "taken")) === undefined);
    await nodeBecomes(world, "taken", "True");
    await world.clock.advance(600_000);
    await world.settle();
    expect(await nodeNames()).toContain("node-taken");
    await nodeBecomes(world, "taken", "Unknown");
    await world.clock.advance(290_000);
    await world.settle();
    expect(await nodeNames()).toContain("node-taken");
    await world.restart();
    await world.clock.advance(10_000);
    await world.until(async () => !(await nodeNames()).includes("node-taken"));
  });
});

describe("a Node that joins when its Machine has been taken away", () => {
  it("goes once its kubelet has been silent for five minutes", async () => {
    await createMachine(world, "late", {});
    await bootstrap(world, "late");
    await provision(world, "late");
    await world.until(async () => (await machineNamed(world, "late"))?.spec.providerID !== undefined);
    await world.settle();
    await world.api.delete(Machine, key("late"));
    await world.api.patch(Machine, key("late"), { type: "merge", body: { metadata: { finalizers: null } } });
    await world.until(async () => (await machineNamed(world, "late")) === undefined);
    await world.settle();
    await join(world, "late");
    await nodeBecomes(world, "late", "Unknown");
    await world.clock.advance(290_000);
    await world.settle();
    expect(await nodeNames()).toContain("node-late");
    await world.clock.advance(10_000);
    await world.until(async () => !(await nodeNames()).includes("node-late"));
  });
});

describe("a Machine and its Node", () => {
  const kept = { key: "team/a", value: "1", effect: "NoSchedule" } as const;
  const once = { key: "team/b", effect: "NoExecute" } as const;
  it("brings taints: some for good, some for the beginning", async () => {
    const taints = [
      { ...kept, propagation: "Always" },
      { ...once, propagation: "OnInitialization" },
    ] as const;
    await createMachine(world, "tainted", { spec: { taints } });
    await bootstrap(world, "tainted");
    await provision(world, "tainted");
    await join(world, "tainted");
    await world.until(async () => (await machineNamed(world, "tainted"))?.status?.phase === "Running");
    await world.settle();
    expect(await taintsOf("tainted")).toEqual([kept, once]);
    expect((await nodeOf("tainted")).metadata.annotations).toMatchObject({
      [Annotation.nodeTaintsFromMachine]: "team/a:NoSchedule",
    });

    // Whoever takes them away gets the first back, and not the second.
    await world.workload.patch(
      NodeResource,
      { name: "node-tainted" },
      { type: "merge", body: { spec: { taints: null } } },
    );
    await world.until(async () => (await taintsOf("tainted")).length === 1);
    expect(await taintsOf("tainted")).toEqual([kept]);
    await change("tainted", { spec: { taints: null } });
    await world.until(async () => (await taintsOf("tainted")).length === 0);
  });

  it("of one provider stands beside those of others in the same Cluster", async () => {
    const { config, oldConfig, machine, oldMachine } = providerKinds;
    const mixes = [
      { name: "new-on-old", data: config, infra: oldMachine },
      { name: "old-on-new", data: oldConfig, infra: machine },
    ] as const;
    for (const { name, data, infra } of mixes) {
      await createMachine(world, name, {
        spec: { bootstrap: { configRef: { ...data.ref, name } }, infrastructureRef: { ...infra.ref, name } },
      });
    }
    await bootstrap(world, "new-on-old");
    await provision(world, "old-on-new");
    const old = (kind: typeof oldConfig, name: string, spec: object) =>
      world.api.create(kind.resource, providerObject(kind, name, spec));
    const infra = await old(oldMachine, "new-on-old", { providerID: providerIDOf("new-on-old") });
    await setStatus(world, oldMachine.resource, infra, { ready: true });
    const data = await old(oldConfig, "old-on-new", {});
    await setStatus(world, oldConfig.resource, data, { ready: true, dataSecretName: "old-data" });
    for (const { name } of mixes) {
      await join(world, name);
      await world.until(async () => (await machineNamed(world, name))?.status?.phase === "Running");
    }
    await world.until(
      async () => findCondition(await world.api.get(Machine, key("new-on-old")), "Ready")?.status === "True",
    );
  });

  it("says that the infrastructure may take it away at any time", async () => {
    await createRunning(world, "spot");
    const { resource } = providerKinds.machine;
    await setStatus(world, resource, await world.api.get(resource, key("spot")), { interruptible: true });
    await world.until(async () => (await nodeOf("spot")).metadata.labels?.[Label.interruptible] !== undefined);
    await world.settle();
    const { items } = await world.api.list(Events, { namespace: "default" });
    const about = items.filter((event) => (event["involvedObject"] as { readonly name?: string }).name === "spot");
    const reasons = about.map((event) => event["reason"]);
    expect(reasons).toEqual(["SuccessfulSetInterruptibleNodeLabel"]);
  });

  it("names Nodes that could be it, when none carries its provider id", async () => {
    await world.workload.create(NodeResource, { apiVersion: "v1", kind: "Node", metadata: { name: "anonymous" } });
    await createMachine(world, "lonely");
    await bootstrap(world, "lonely");
    await provision(world, "lonely");
    await world.until(async () => {
      const machine = await machineNamed(world, "lonely");
      const found = machine === undefined ? undefined : findCondition(machine, "NodeHealthy");
      return found?.message.includes("1 Node has no spec.providerID: check that the cloud controller manager") === true;
    });
  });
});

describe("a Machine and what its providers say", () => {
  it("takes over when its certificates expire, from itself or from its bootstrap config", async () => {
    await createMachine(world, "master", { labels: { [Label.controlPlane]: "" } });
    const { resource } = providerKinds.config;
    const say = async (value: string | null): Promise<unknown> =>
      set(world, resource, await world.api.get(resource, key("master")), {
        metadata: { annotations: { [Annotation.certificatesExpiry]: value } },
      });
    const expiry = async () => (await machineNamed(world, "master"))?.status?.certificatesExpiryDate;
    await say("2027-03-01T00:00:00Z");
    await world.until(async () => (await expiry()) === "2027-03-01T00:00:00Z");
    await change("master", {
      metadata: { annotations: { [Annotation.certificatesExpiry]: "2027-02-01T01:00:00+01:00" } },
    });
    await world.until(async () => (await expiry()) === "2027-02-01T00:00:00Z");
    // What is not a time is no reason to fail.
    await change("master", { metadata: { annotations: { [Annotation.certificatesExpiry]: "soon" } } });
    await world.until(async () => (await expiry()) === undefined);
    await change("master", { metadata: { annotations: { [Annotation.certificatesExpiry]: null } } });
    await world.until(async () => (await expiry()) === "2027-03-01T00:00:00Z");
    await say(null);
    await world.until(async () => (await expiry()) === undefined);
  });

  it("says what is missing when its bootstrap config is ready without data, and takes it from a paused one", async () => {
    await createMachine(world, "nameless");
    const { resource } = providerKinds.config;
    const config = await world.api.get(resource, key("nameless"));
    await setStatus(world, resource, config, { initialization: { dataSecretCreated: true } });
    const said = async () => findCondition(await world.api.get(Machine, key("nameless")), "BootstrapConfigReady");
    await world.until(
      async () => (await said())?.message === "TestConfig default/nameless: status.dataSecretName is not set",
    );
    expect((await machineNamed(world, "nameless"))?.status?.phase).toBe("Pending");
    await set(world, resource, config, { metadata: { annotations: { [Annotation.paused]: "" } } });
    await bootstrap(world, "nameless", "first");
    await world.until(async () => (await machineNamed(world, "nameless"))?.status?.phase === "Provisioning");
    // What it once took stays its own.
    await bootstrap(world, "nameless", "second");
    await world.settle();
    expect((await machineNamed(world, "nameless"))?.spec.bootstrap.dataSecretName).toBe("first");
  });

  it("keeps its data when its bootstrap config is gone", async () => {
    await createRunning(world, "kept");
    await world.api.delete(providerKinds.config.resource, key("kept"));
    await world.until(async () => {
      const found = findCondition(await world.api.get(Machine, key("kept")), "BootstrapConfigReady");
      return found?.reason === "ObjectDoesNotExist";
    });
    const { spec, status } = await world.api.get(Machine, key("kept"));
    expect(spec.bootstrap.dataSecretName).toBe("kept-data");
    expect(status).toMatchObject({ phase: "Running", initialization: { bootstrapDataSecretCreated: true } });
  });

  it("says which definition lacks the label of the contract, and goes on when it has it", async () => {
    const { crd } = providerKinds.machine;
    const name = crd.metadata.name ?? "";
    await createMachine(world, "unlabelled");
    await world.until(async () => (await machineNamed(world, "unlabelled"))?.status?.phase === "Pending");
    const label = (value: string | null) =>
      world.api.patch(
        CustomResourceDefinitionResource,
        { name },
        {
          type: "merge",
          body: { metadata: { labels: { [contractLabel("v1beta2")]: value } } },
        },
      );
    const said = async (): Promise<string> =>
      findCondition(await world.api.get(Machine, key("unlabelled")), "InfrastructureReady")?.message ?? "";
    await label(null);
    await world.seen(CustomResourceDefinitionResource);
    await change("unlabelled", { metadata: { annotations: { look: "again" } } });
    await world.until(async () => (await said()).includes(`CustomResourceDefinition ${name}: no contract label`));
    await label("v1");
    await world.until(async () => !(await said()).includes("no contract label"));
  });
});

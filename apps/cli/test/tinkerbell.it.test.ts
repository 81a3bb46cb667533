import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ClusterResource, MachineResource } from "@capstan/contract/wire";
import { createSimulation, type MetalSimulation } from "@capstan/infra-metal/sim";
import type { Machine } from "@capstan/kit/machines";
import { BmcJob, BmcMachine, Hardware, Template, Workflow } from "@capstan/tinkerbell/api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestSystemOn, type TestSystem } from "./test-system.ts";

const manifest = readFileSync(join(import.meta.dirname, "../../../examples/metal/tinkerbell.yaml"), "utf8");
const namespace = "default";

describe("the example of a cluster on bare metal", { timeout: 120_000 }, () => {
  let system: TestSystem<MetalSimulation>;

  const rack = () => system.simulator.rack.state.machines;
  const hardware = async (): Promise<readonly Hardware[]> =>
    (await system.running.client.list(Hardware, { namespace })).items;

  beforeAll(async () => {
    system = await startTestSystemOn({ metal: createSimulation }, manifest);
    await system.untilRunning();
  }, 120_000);

  afterAll(() => system[Symbol.asyncDispose]());

  it("has a Node on each machine that was taken, installed over the network", async () => {
    const { items } = await system.running.client.list(MachineResource, { namespace });
    const machines = items as readonly Machine[];
    expect(machines.map(({ status }) => status?.nodeRef?.name).toSorted()).toEqual(["metal-1", "metal-2", "metal-3"]);
    for (const { name, address, disks, providerID } of rack().slice(0, 3)) {
      expect(disks[0]?.image).toContain("ubuntu-2204:v1.34.0.gz");
      expect(providerID).toBe(`tinkerbell://default/${name}`);
      const machine = machines.find(({ status }) => status?.nodeRef?.name === name);
      expect(machine?.status?.addresses).toContainEqual({ type: "InternalIP", address });
      expect(system.simulator.redfish(name).requests.violations).toEqual([]);
    }
    const workflows = (await system.running.client.list(Workflow, { namespace })).items;
    expect(workflows.map(({ status }) => status?.state)).toEqual(["SUCCESS", "SUCCESS", "SUCCESS"]);
    expect((await hardware()).map(({ spec }) => spec?.interfaces?.[0]?.netboot?.allowPXE)).toEqual([
      false,
      false,
      false,
    ]);
  });

  it("says of every machine that it is on and can be reached", async () => {
    const all = async () => (await system.running.client.list(BmcMachine, { namespace })).items;
    await system.until(async () => (await all()).every(({ status }) => status?.powerState === "on"));
    for (const { status } of await all()) {
      expect(status?.conditions).toMatchObject([{ type: "Contactable", status: "True" }]);
    }
  });

  it("writes nothing once it runs", async () => {
    await system.quiet();
  });

  it("is deleted to nothing: the machines are off, and the Hardware is free", async () => {
    const { client } = system.running;
    const key = { namespace, name: "foundry" };
    await client.delete(ClusterResource, key);
    await system.until(async () => (await client.find(ClusterResource, key)) === undefined);
    await system.until(() => rack().every(({ power }) => power === "off"));
    for (const { metadata, spec } of await hardware()) {
      expect(Object.keys(metadata.labels ?? {})).toEqual(["role"]);
      expect(metadata.finalizers ?? []).toEqual([]);
      expect(spec?.userData ?? "").toBe("");
    }
    for (const kind of [Template, Workflow, MachineResource]) {
      expect((await client.list(kind, { namespace })).items, kind.kind).toEqual([]);
    }
    await system.until(async () => (await client.list(BmcJob, { namespace })).items.length === 0);
  });
});

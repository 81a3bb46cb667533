import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ClusterResource, conditionOf, MachineResource } from "@capstan/contract/wire";
import { ElementalHost, ElementalMachine } from "@capstan/infra-metal/api";
import { createSimulation } from "@capstan/sim-metal";
import { describe, expect, it } from "vitest";
import { startTestSystemOn } from "./test-system.ts";

const example = readFileSync(join(import.meta.dirname, "../../../examples/metal/elemental.yaml"), "utf8");
const start = (manifest = example) => startTestSystemOn({ metal: (outside) => createSimulation(outside) }, manifest);
const here = { namespace: "default" };

describe("the example of hosts that register by themselves", () => {
  it("brings up a server and two agents with components, and has the hosts register again", async () => {
    await using system = await start();
    const { client } = system.running;
    await system.untilRunning();
    const hosts = (await client.list<ElementalHost>(ElementalHost, here)).items;
    const used = hosts.filter(({ spec }) => spec?.machineRef !== undefined);
    expect(used).toHaveLength(3);
    const digests = new Set(used.map(({ status }) => status?.components?.installed));
    expect([...digests]).toEqual([expect.stringMatching(/^sha256:/)]);
    for (const { metadata, spec } of used) {
      expect(spec?.components?.digest).toBe([...digests][0]);
      const name = metadata.name ?? "";
      expect(system.simulator.console(name)).toContainEqual(expect.stringContaining("elemental-agent: running"));
    }
    const { items: machines } = await client.list<ElementalMachine>(ElementalMachine, here);
    for (const machine of machines) {
      expect(machine.spec?.providerID).toBe(`elemental://default/${machine.spec?.hostRef?.name}`);
      for (const type of ["AssociationReady", "HostReady", "ProviderIDReady", "ComponentsReady", "Ready"]) {
        expect(conditionOf(machine, type, "v1beta1")?.status, type).toBe("True");
      }
      expect(machine.status?.addresses).toContainEqual({ type: "InternalIP", address: expect.any(String) });
    }
    const before = new Map(used.map(({ metadata }) => [metadata.name, metadata.uid]));
    await client.delete(ClusterResource, { ...here, name: "granite" });
    await system.until(async () => (await client.find(ClusterResource, { ...here, name: "granite" })) === undefined);
    expect((await client.list(MachineResource, here)).items).toEqual([]);
    // Reset hosts boot their medium again, and are someone new.
    const isFree = ({ metadata, spec }: ElementalHost): boolean =>
      spec?.machineRef === undefined &&
      metadata.labels?.["elementalhost.infrastructure.cluster.x-k8s.io/installed"] === "true";
    await system.until(async () => {
      const { items } = await client.list<ElementalHost>(ElementalHost, here);
      return items.length === 4 && items.every(isFree);
    });
    for (const { metadata } of (await client.list<ElementalHost>(ElementalHost, here)).items) {
      expect(metadata.uid).not.toBe(before.get(metadata.name) ?? "");
    }
  });

  it("writes nothing once everything runs", async () => {
    await using system = await start();
    await system.untilRunning();
    await system.quiet();
    const versions = async () =>
      (await system.running.client.list(ElementalHost, here)).items.map(({ metadata }) => metadata.resourceVersion);
    const before = await versions();
    await system.pass(60_000);
    expect(await versions()).toEqual(before);
  });

  it("says what is wrong with a bundle, at the machine too", async () => {
    await using system = await start(example.replaceAll("bundles/node:1.0", "bundles/none:1.0"));
    const message = "spec.componentsBundle 127.0.0.1:";
    const { client } = system.running;
    const server = async () =>
      (await client.list<ElementalMachine>(ElementalMachine, here)).items.find(({ metadata }) =>
        metadata.name?.startsWith("granite-servers-"),
      );
    await system.until(async () => (await server()) !== undefined);
    const { message: said } = await system.condition(ElementalMachine, (await server())?.metadata.name ?? "", {
      type: "Ready",
      reason: "DownloadFailed",
      message,
    });
    expect(said).toContain("has no bundles/none:1.0; correct the reference, or put the bundle there");
  });
});

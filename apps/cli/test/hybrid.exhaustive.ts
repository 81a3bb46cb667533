import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SimulationOutsideV1 } from "@capstan/contract/v1";
import { ClusterResource, machine as machineFields, MachineResource, ownerOfKind } from "@capstan/contract/wire";
import { AzureCluster } from "@capstan/infra-azure/api";
import { createSimulation as simulateLinode } from "@capstan/sim-linode";
import { TinkerbellCluster } from "@capstan/infra-metal/api";
import { createSimulation as simulateMetal } from "@capstan/sim-metal";
import type { Resource } from "@capstan/schema";
import { expect, it } from "vitest";
import { simulateAzure } from "./azure-system.ts";
import { startTestSystemOn, type Simulated } from "./test-system.ts";

const example = readFileSync(join(import.meta.dirname, "../../../examples/hybrid.yaml"), "utf8");

const namespace = "default";
const key = { namespace, name: "mosaic" };

/** Makes a simulation, and shows it when it is made. */
const shown = <S>(create: (outside: SimulationOutsideV1) => Promise<S>) => {
  const made: { readonly create: (outside: SimulationOutsideV1) => Promise<S>; simulation?: S } = {
    create: async (outside) => (made.simulation = await create(outside)),
  };
  return made;
};

it("the example of a hybrid cluster has its control plane on Linode and workers on Azure and on metal, and deletes to nothing", async () => {
  const foreign: string[] = [];
  const clouds = { linode: shown(simulateLinode), azure: shown(simulateAzure(foreign)), metal: shown(simulateMetal) };
  await using system = await startTestSystemOn<Simulated>(
    { linode: clouds.linode.create, azure: clouds.azure.create, metal: clouds.metal.create },
    example,
  );
  const azure = clouds.azure.simulation!.simulator.state;
  const { client } = system.running;
  await system.untilRunning();
  const { items: machines } = await client.list(MachineResource, { namespace });
  const places = machines.map((machine) => machineFields.providerID.get(machine)?.split(":")[0] ?? "");
  expect(places.toSorted()).toEqual(["azure", "azure", "linode", "tinkerbell"]);
  const cluster = await client.get(ClusterResource, key);
  for (const kind of [AzureCluster, TinkerbellCluster] as readonly Resource[]) {
    const beside = await client.get(kind, key);
    expect(ownerOfKind(beside, ClusterResource)?.uid, kind.kind).toBe(cluster.metadata.uid);
  }
  const balancers = azure.resources.filter(({ type }) => type.endsWith("/loadBalancers"));
  expect(balancers, "the control plane is not on Azure").toEqual([]);

  await client.delete(ClusterResource, key);
  await system.until(
    async () =>
      (await client.find(ClusterResource, key)) === undefined &&
      (await client.find(AzureCluster, key)) === undefined &&
      (await client.find(TinkerbellCluster, key)) === undefined,
  );
  expect(clouds.linode.simulation!.simulator.state.instances).toEqual([]);
  expect([azure.groups.map(({ name }) => name), azure.resources.map(({ id }) => id)]).toEqual([["capz-ci"], foreign]);
  const { machines: rack } = clouds.metal.simulation!.simulator.rack.state;
  expect(rack.find(({ name }) => name === "metal-1")?.power).toBe("off");
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  ClusterResource,
  machine as machineFields,
  MachinePoolResource,
  MachineResource,
  valueAt,
} from "@capstan/contract/wire";
import { isBeingDeleted } from "@capstan/kube-values";
import { expect, it } from "vitest";
import { startAzureSystem } from "./azure-system.ts";

const example = readFileSync(join(import.meta.dirname, "../../../examples/azure/machine-pool.yaml"), "utf8");

const namespace = "default";

it("MachinePools on Azure come up, Uniform and Flexible, scale, replace a deleted Machine, and delete to nothing", async () => {
  await using system = await startAzureSystem(example);
  const { client } = system.running;
  const { requests, state } = system.simulator;
  const machinesOf = async (pool: string) =>
    (await client.list(MachineResource, { namespace })).items.filter(({ metadata }) =>
      metadata.ownerReferences?.some(({ kind, name }) => kind === MachinePoolResource.kind && name === pool),
    );
  /** That many Machines of the pool have Nodes, and none is on its way out. */
  const isComplete = async (pool: string, count: number) => {
    const machines = await machinesOf(pool);
    return (
      machines.length === count &&
      machines.every((machine) => !isBeingDeleted(machine) && machineFields.nodeName.get(machine) !== undefined)
    );
  };
  await system.untilRunning();
  await system.until(() => isComplete("juniper-mp-0", 2));
  await system.until(() => isComplete("juniper-mp-1", 1));
  const [first] = await machinesOf("juniper-mp-0");
  expect(machineFields.providerID.get(first!)).toMatch(
    /^azure:\/\/\/subscriptions\/.*\/virtualMachineScaleSets\/juniper-mp-0\/virtualMachines\/\d+$/,
  );
  const [flexible] = await machinesOf("juniper-mp-1");
  expect(machineFields.providerID.get(flexible!)).toMatch(
    /^azure:\/\/\/subscriptions\/.*\/Microsoft.Compute\/virtualMachines\/juniper-mp-1_[0-9a-f]+$/,
  );

  await client.delete(MachineResource, { namespace, name: first!.metadata.name! });
  await system.until(async () => {
    const names = (await machinesOf("juniper-mp-0")).map(({ metadata }) => metadata.name);
    return !names.includes(first!.metadata.name) && (await isComplete("juniper-mp-0", 2));
  });
  await client.patch(
    MachinePoolResource,
    { namespace, name: "juniper-mp-1" },
    {
      type: "merge",
      body: { spec: { replicas: 2 } },
    },
  );
  await system.until(() => isComplete("juniper-mp-1", 2));
  expect(requests.violations).toEqual([]);

  await system.quiet();
  const isNewData = ({ method, path }: { readonly method: string; readonly path: string }) =>
    method === "PATCH" && /\/virtualMachineScaleSets\/[^/]+$/i.test(path);
  const writes = () => requests.log.filter((request) => request.method !== "GET" && !isNewData(request)).length;
  const settled = writes();
  const pool = async () => client.get(MachinePoolResource, { namespace, name: "juniper-mp-0" });
  const { resourceVersion } = (await pool()).metadata;
  await system.pass(1_800_000);
  expect(valueAt(await pool(), "status.readyReplicas")).toBe(2);
  expect(writes() - settled, "nothing but the bootstrap data, whose token is rotated, is written to Azure").toBe(0);
  expect((await pool()).metadata.resourceVersion, "and nothing to the pool").toBe(resourceVersion);

  await client.delete(ClusterResource, { namespace, name: "juniper" });
  await system.until(async () => (await client.find(ClusterResource, { namespace, name: "juniper" })) === undefined);
  expect(state.resources.map(({ id }) => id)).toEqual(system.foreign);
});

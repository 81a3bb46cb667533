import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ClusterResource, conditionOf, SecretResource } from "@capstan/contract/wire";
import { TinkerbellMachine } from "@capstan/infra-metal/api";
import { createSimulation, type MetalSimulator } from "@capstan/sim-metal";
import { isCapstanError } from "@capstan/contract";
import { keyOf } from "@capstan/kube-values";
import { type KubeObject, resource, type Resource } from "@capstan/schema";
import { BmcMachine, Hardware, Template, Workflow } from "@capstan/tinkerbell/api";
import { expect, it } from "vitest";
import { startTestSystemOn } from "./test-system.ts";

const example = readFileSync(join(import.meta.dirname, "../../../examples/metal/tinkerbell.yaml"), "utf8");
const namespace = "default";
const MachineDeployment = resource({
  group: "cluster.x-k8s.io",
  version: "v1beta2",
  kind: "MachineDeployment",
  plural: "machinedeployments",
  namespaced: true,
});

const switchedOn = ({ rack }: MetalSimulator): readonly string[] =>
  rack.state.machines
    .filter(({ name, power }) => name.startsWith("metal-") && power !== "off")
    .map(({ name }) => name)
    .toSorted();

it("a machine that is described twice runs on, and everything ends although what that needs is deleted first", async () => {
  await using system = await startTestSystemOn({ metal: (outside) => createSimulation(outside) }, example);
  const { client } = system.running;
  await system.untilRunning();
  const on = switchedOn(system.simulator);
  expect(on).toHaveLength(3);

  // The last free Hardware becomes another one for a machine that runs.
  const all = (await client.list(Hardware, { namespace })).items;
  const isFree = ({ metadata }: Hardware) => metadata.labels?.["v1alpha1.tinkerbell.org/ownerName"] === undefined;
  const worker = all.find((each) => !isFree(each) && each.metadata.labels?.["role"] === "worker")!;
  for (const free of all.filter(isFree)) await client.delete(Hardware, keyOf(free));
  const { userData: _, bmcRef: __, ...spec } = worker.spec!;
  const { apiVersion, kind } = worker;
  const metadata = { namespace, name: "again", labels: { role: "worker" } };
  await client.create(Hardware, { apiVersion, kind, metadata, spec });
  const workers = { namespace, name: "forge-workers" };
  await client.patch(MachineDeployment, workers, { type: "merge", body: { spec: { replicas: 3 } } });
  await system.until(async () =>
    (await client.list(TinkerbellMachine, { namespace })).items.some(
      (each) => conditionOf(each, "HardwareClaimed")?.reason === "MachineDescribedTwice",
    ),
  );
  await system.pass(60_000);
  expect(switchedOn(system.simulator)).toEqual(on);
  expect(isFree(await client.get(Hardware, { namespace, name: "again" }))).toBe(true);

  const kinds = [SecretResource, BmcMachine, Hardware, Template, Workflow] as readonly Resource[];
  for (const each of kinds) {
    for (const object of (await client.list(each, { namespace })).items) {
      await client.delete(each, keyOf(object)).catch((error: unknown) => {
        if (!isCapstanError(error, "kube.not_found")) throw error;
      });
    }
  }
  await system.pass(5000);
  await client.delete(ClusterResource, { namespace, name: "forge" });
  await system.until(async () => {
    const lists = await Promise.all(
      [ClusterResource, ...kinds].map((each) => client.list<KubeObject>(each, { namespace })),
    );
    return lists.every(({ items }) => items.length === 0);
  });
  expect(switchedOn(system.simulator)).toEqual([]);
});

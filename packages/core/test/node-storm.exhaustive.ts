import { Taint } from "@capstan/contract";
import { NodeResource } from "@capstan/contract/wire";
import { apiVersionOf } from "@capstan/schema";
import { isConditionTrue } from "@capstan/kit/machines";
import { afterEach, expect, it } from "vitest";
import { Machine } from "../src/api.ts";
import { namespace, providerIDOf, providerObject } from "./hand-provider.ts";
import { checkOf, createCheck, nodeBecomes, startHealthWorld } from "./health-check-world.ts";
import { providerKinds } from "./provider-kinds.ts";
import type { World } from "./world.ts";
import { setStatus } from "./world.ts";

const names = Array.from({ length: 500 }, (_, index) => `m${index}`);

let world: World;
afterEach(() => world.stop());

/** Does something for all, many at once. */
const forAll = async (work: (name: string) => Promise<unknown>): Promise<void> => {
  for (let start = 0; start < names.length; start += 50) await Promise.all(names.slice(start, start + 50).map(work));
};

/** A Machine, its infrastructure and its Node, which all know of each other already. */
const createRunning = async (name: string): Promise<void> => {
  const { resource, ref } = providerKinds.machine;
  const providerID = providerIDOf(name);
  const infrastructure = await world.api.create(resource, providerObject(providerKinds.machine, name, { providerID }));
  await setStatus(world, resource, infrastructure, { initialization: { provisioned: true } });
  await world.api.create(Machine, {
    apiVersion: apiVersionOf(Machine),
    kind: Machine.kind,
    metadata: { name, namespace, labels: { role: "worker" } },
    spec: { clusterName: "prod", bootstrap: { dataSecretName: "data" }, infrastructureRef: { ...ref, name } },
  });
  await world.workload.create(NodeResource, {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: `node-${name}` },
    spec: { providerID, taints: [{ ...Taint.uninitialized }] },
  });
  await nodeBecomes(world, name, "True");
};

const until = (condition: () => Promise<boolean>): Promise<void> =>
  world.clock.advanceUntil(condition, { stepMs: 1000, maxMs: 900_000 });

const ready = async (): Promise<number> =>
  (await world.api.list(Machine, { namespace })).items.filter((machine) => isConditionTrue(machine, "Ready")).length;

/** Changes all Nodes at once; returns what the controllers did because of it until all was quiet again. */
const storm = async (status: "True" | "False", isOver: () => Promise<boolean>) => {
  // What they hear late of the time before is not because of the storm.
  for (const kind of [Machine, providerKinds.machine.resource]) await world.seen(kind);
  await world.settle();
  world.requests.length = 0;
  const controllers = ["machine", "machine-health-check", "cluster"] as const;
  const count = () => Promise.all(controllers.map((controller) => world.reconciles(controller)));
  const before = await count();
  await forAll((name) => nodeBecomes(world, name, status));
  await until(isOver);
  // Time for whoever looks only now and then.
  await world.clock.advance(30_000);
  await world.settle();
  const [machine = 0, check = 0, cluster = 0] = (await count()).map((after, index) => after - (before[index] ?? 0));
  const writes = (plural: string): number =>
    world.requests.filter((request) => request.startsWith("PATCH") && request.includes(`/${plural}/`)).length;
  return {
    reconciles: { machine, check, cluster },
    writes: { machine: writes("machines"), check: writes("machinehealthchecks"), cluster: writes("clusters") },
    reads: world.requests.filter((request) => request.startsWith("GET")).length,
  };
};

it(
  "500 Nodes that change at once cost as many writes, and a few for what sums them up",
  { timeout: 600_000 },
  async () => {
    world = await startHealthWorld([]);
    await forAll(createRunning);
    await createCheck(world);
    await until(async () => (await ready()) === names.length + 1);
    await until(async () => (await checkOf(world)).status?.currentHealthy === names.length);
    const ill = await storm("False", async () => (await ready()) === 1);
    const well = await storm("True", async () => (await ready()) === names.length + 1);
    for (const { reads, reconciles, writes } of [ill, well]) {
      expect(writes.machine, "one status each").toBe(names.length);
      expect(reconciles.machine, "the Node's change, and its own write").toBeLessThanOrEqual(2.2 * names.length);
      expect(writes.check + writes.cluster).toBeLessThanOrEqual(10);
      expect(reconciles.check).toBeLessThanOrEqual(8);
      expect(reconciles.cluster).toBeLessThanOrEqual(30);
      expect(reads).toBe(0);
    }
  },
);

import { readFileSync } from "node:fs";
import { ClusterResource, conditionOf, machine as machineFields, MachineResource } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { move } from "./move.ts";
import { example, startTestSystem, type TestSystem } from "./test-system.ts";

const namespace = "default";

describe("clusters that move to another management API", () => {
  let source: TestSystem;
  let target: TestSystem;
  const writes: string[] = [];

  beforeAll(async () => {
    source = await startTestSystem(readFileSync(example, "utf8"));
    await source.untilRunning();
    await source.quiet();
    target = await startTestSystem("", { beside: source });
  });
  afterAll(async () => {
    await target[Symbol.asyncDispose]();
    await source[Symbol.asyncDispose]();
  });

  const machines = async ({ running }: TestSystem): Promise<readonly KubeObject[]> =>
    (await running.client.list(MachineResource, { namespace })).items;
  const facts = (machine: KubeObject) => ({
    name: machine.metadata.name,
    providerID: machineFields.providerID.get(machine),
    node: machineFields.nodeName.get(machine),
  });

  it("are found by their new controllers as they are: nothing at the cloud changes but the mark of the installation, once", async () => {
    const before = (await machines(source)).map(facts);
    source.simulator.requests.subscribe(({ method, path }) => {
      if (method !== "GET") writes.push(`${method} ${path}`);
    });
    const moved = await move(source.running.client, target.running.client, async () => {
      await source.quiet();
      await target.quiet();
    });
    expect(moved.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["Cluster", "Machine", "Secret", "LinodeMachine"]),
    );
    expect(await machines(source)).toEqual([]);
    await target.untilRunning();
    await target.pass(120_000);
    expect((await machines(target)).map(facts)).toEqual(before);
    const marked = source.simulator.state.instances.map(({ id }) => `PUT linode/instances/${id}`);
    const balancers = source.simulator.state.nodeBalancers.map(({ id }) => `PUT nodebalancers/${id}`);
    expect(writes.toSorted()).toEqual([...marked, ...balancers].toSorted());
    const cluster = await target.running.client.get(ClusterResource, { namespace, name: "orchid" });
    expect(conditionOf(cluster, "Available")?.status).toBe("True");
  });

  it("are theirs from then on: they are taken down whole", async () => {
    await target.running.client.delete(ClusterResource, { namespace, name: "orchid" });
    await target.until(
      async () => (await target.running.client.list(ClusterResource, { namespace })).items.length === 0,
    );
    expect(target.simulator.state.instances).toEqual([]);
    expect(target.simulator.state.nodeBalancers).toEqual([]);
  });
});

import { Finalizer, Label } from "@capstan/contract";
import { afterEach, describe, expect, it } from "vitest";
import { Cluster, Machine, MachineSet } from "../src/api.ts";
import { createCluster, key, namespace, providerObject } from "./hand-provider.ts";
import { providerKinds } from "./provider-kinds.ts";
import type { World } from "./world.ts";
import { set, startWorld } from "./world.ts";

let world: World;
afterEach(async () => {
  await world.stop();
});

const labelled = (filter: string) => ({ metadata: { labels: { [Label.watchFilter]: filter } } });

/** A Cluster with a set of one Machine; all of it is for one filter, by the labels of Cluster, set and template. */
const createSet = async (name: string, filter: string): Promise<void> => {
  await set(world, Cluster, await createCluster(world, name), labelled(filter));
  const labels = { set: name, [Label.watchFilter]: filter };
  await world.api.create(MachineSet, {
    apiVersion: `${MachineSet.group}/${MachineSet.version}`,
    kind: MachineSet.kind,
    metadata: { name, namespace, labels },
    spec: {
      clusterName: name,
      replicas: 1,
      selector: { matchLabels: { set: name } },
      template: {
        metadata: { labels },
        spec: {
          clusterName: name,
          bootstrap: { dataSecretName: "data" },
          infrastructureRef: { ...providerKinds.machineTemplate.ref, name: "workers" },
        },
      },
    },
  });
};

const machinesOf = async (name: string): Promise<readonly Machine[]> =>
  (await world.api.list(Machine, { namespace, labelSelector: `set=${name}` })).items;

const isAtWork = async (name: string): Promise<boolean> => {
  const machines = await machinesOf(name);
  return machines.length === 1 && machines[0]?.status?.phase === "Provisioning";
};

describe("managers with a watch filter", () => {
  it("share an API server, each with what is labelled for it", async () => {
    world = await startWorld();
    world.watchFilters = ["blue"];
    await world.restart();
    await world.api.create(
      providerKinds.machineTemplate.resource,
      providerObject(providerKinds.machineTemplate, "workers", { template: { spec: {} } }),
    );
    await createSet("blue", "blue");
    await createSet("green", "green");
    await createCluster(world, "plain");
    await world.until(() => isAtWork("blue"));
    await world.settle();
    expect(await machinesOf("green")).toEqual([]);
    expect((await world.api.get(MachineSet, key("green"))).metadata.finalizers).toBeUndefined();

    world.watchFilters = ["blue", "green"];
    await world.restart();
    await world.until(() => isAtWork("green"));
    await world.settle();
    for (const name of ["blue", "green"]) {
      expect((await world.api.get(Cluster, key(name))).metadata.finalizers).toEqual([Finalizer.cluster]);
      expect(await machinesOf(name)).toHaveLength(1);
    }
    expect((await world.api.get(Cluster, key("plain"))).metadata.finalizers).toBeUndefined();
    world.requests.length = 0;
    await world.clock.advance(60_000);
    expect(world.requests).toEqual([]);
  });
});

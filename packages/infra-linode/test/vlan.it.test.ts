import { expect, it } from "vitest";
import { apiVersionOf } from "@capstan/schema";
import { LinodeMachine } from "../src/api.ts";
import {
  clusterName,
  createCluster,
  createMachine,
  createNamespace,
  getCluster,
  getMachine,
  reportInfrastructure,
  startWorld,
} from "./management.ts";
import type { World } from "./management.ts";
import { smallInstance } from "@capstan/sim-linode/testing";

const network = { loadBalancerType: "NodeBalancer", enableVPCBackends: false, useVlan: true } as const;

const inVlan = async (world: World, name: string): Promise<void> => {
  await createCluster(world, name, { network });
  await world.until(async () => (await getCluster(world, name))?.status?.ready === true);
  await reportInfrastructure(world, name);
};

const internal = async (world: World, name: string): Promise<readonly string[]> =>
  ((await getMachine(world, name))?.status?.addresses ?? []).flatMap(({ address, type }) =>
    type === "InternalIP" ? [address] : [],
  );

const isReady = async (world: World, name: string): Promise<boolean> =>
  (await getMachine(world, name))?.status?.ready === true;

it("gives every machine of a cluster an address of its own in the cluster's VLAN, over restarts too", async () => {
  await using world = await startWorld();
  await inVlan(world, "prod");
  await inVlan(world, "other");
  const names = ["node-0", "node-1", "node-2", "node-3", "node-4"];
  const generations = [{ interfaces: [{ purpose: "public" }] }, {}, { linodeInterfaces: [{ public: {} }] }];
  for (const [index, name] of names.entries()) {
    if (index === 3) {
      await world.kill();
      await world.startControllers();
    }
    await createMachine(world, name, { cluster: "prod", spec: generations[index % 3]! });
  }
  await createMachine(world, "apart", { cluster: "other" });
  for (const name of [...names, "apart"]) await world.until(() => isReady(world, name));
  const addresses = await Promise.all(names.map(async (name) => (await internal(world, name))[0]));
  expect(new Set(addresses)).toEqual(new Set(["10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4", "10.0.0.5"]));
  expect((await internal(world, "apart"))[0]).toBe("10.0.0.1");
  const { instances } = world.simulator.state;
  for (const [index, name] of names.entries()) {
    const { id } = instances.find(({ label }) => label === name)!;
    const ipam = `${addresses[index]}/11`;
    if (index % 3 === 2) {
      const [first, second] = await world.client.instances.listInterfaces(id);
      expect(first?.vlan).toMatchObject({ vlan_label: "prod", ipam_address: ipam });
      expect(second?.public).toBeDefined();
    } else {
      const [config] = await world.client.instances.listConfigs(id);
      expect(config?.interfaces?.map(({ purpose }) => purpose)).toEqual(["vlan", "public"]);
      expect(config?.interfaces?.[0]).toMatchObject({ label: "prod", ipam_address: ipam });
    }
  }
  expect(world.simulator.requests.violations).toEqual([]);
});

/** A LinodeMachine of a Cluster in a namespace, as one that has its address in the VLAN. */
const reservedIn = async ({ api }: World, place: { readonly namespace: string; readonly name: string }, more: object) =>
  api.create(LinodeMachine, {
    apiVersion: apiVersionOf(LinodeMachine),
    kind: LinodeMachine.kind,
    metadata: { ...place, labels: clusterName("prod"), ...more },
    spec: { region: "us-ord", type: "g6-standard-2" },
  });

it("counts addresses by VLAN, whoever is in it: clusters of other namespaces and instances of others", async () => {
  await using world = await startWorld();
  await inVlan(world, "prod");
  await createNamespace(world, "blue");
  const annotations = { "capstan.dev/vlan-address": "10.0.0.1/11" };
  await reservedIn(world, { namespace: "blue", name: "theirs" }, { annotations });
  const vlan = (address: string) => [{ purpose: "vlan", label: "prod", ipam_address: address } as const];
  const instance = { ...smallInstance, label: "of-others", interfaces: vlan("10.0.0.2/11") };
  await world.client.instances.create(instance);
  const { private_ip: _, ...other } = smallInstance;
  const newer = [{ public: {} }, { vlan: { vlan_label: "prod", ipam_address: "10.0.0.3/11" } }];
  await world.client.instances.create({
    ...other,
    label: "newer-of-others",
    interface_generation: "linode",
    interfaces: newer,
  });
  await world.client.instances.create({
    ...instance,
    label: "elsewhere",
    region: "us-sea",
    interfaces: vlan("10.0.0.4/11"),
  });
  await createMachine(world, "node-0", { cluster: "prod" });
  await world.until(() => isReady(world, "node-0"));
  expect((await internal(world, "node-0"))[0]).toBe("10.0.0.4");
  expect(world.simulator.requests.violations).toEqual([]);
});

import { apiVersionOf } from "@capstan/schema";
import type { Resource } from "@capstan/schema";
import { expect, it } from "vitest";
import { LinodeFirewall, LinodeVPC } from "../src/api.ts";
import type { LinodeCluster, LinodeMachine } from "../src/api.ts";
import {
  createCluster,
  createMachine,
  createNamespace,
  createSecret,
  getCluster,
  getMachine,
  patchSpec,
  readyOf,
  reportInfrastructure,
  startWorld,
  trustIds,
} from "./management.ts";
import type { World } from "./management.ts";
import { LinodeMachine as Machine } from "../src/api.ts";
import { only } from "@capstan/sim-linode/testing";

const region = "us-ord";
const other = "blue";

const createThere = async (world: World, kind: Resource, spec: object): Promise<void> => {
  const key = { namespace: other, name: "theirs" };
  await world.api.create(kind, { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: key, spec });
  const isReady = async () => readyOf(await world.api.find(kind, key))?.status === "True";
  await world.until(isReady);
};

interface Theirs {
  readonly vpc: number;
  readonly subnet: number;
  readonly firewall: number;
}

/** A world in which another namespace has a VPC and a firewall. */
const start = async (): Promise<{ readonly world: World; readonly theirs: Theirs }> => {
  const world = await startWorld();
  await createNamespace(world, other);
  await createThere(world, LinodeVPC, { region, subnets: [{ label: "default", ipv4: "10.0.0.0/24" }] });
  await createThere(world, LinodeFirewall, { enabled: true });
  const { firewalls, vpcs } = world.simulator.state;
  const [vpc, firewall] = [only(vpcs), only(firewalls)];
  return { world, theirs: { vpc: vpc.id, subnet: only(vpc.subnets).id, firewall: firewall.id } };
};

const provision = async (world: World): Promise<void> => {
  await createCluster(world, "prod", {});
  await world.until(async () => (await getCluster(world, "prod"))?.status?.ready === true);
  await reportInfrastructure(world, "prod");
};

it.each<[field: string, spec: (theirs: Theirs) => Partial<LinodeMachine["spec"]>]>([
  ["spec.vpcID", ({ vpc }) => ({ vpcID: vpc })],
  ["spec.firewallID", ({ firewall }) => ({ firewallID: firewall })],
  ["spec.interfaces[0].subnetId", ({ subnet }) => ({ interfaces: [{ purpose: "vpc", subnetId: subnet }] })],
])("an instance joins by %s nothing of another namespace", async (field, spec) => {
  const { theirs, world } = await start();
  await using _ = world;
  await provision(world);
  await createMachine(world, "mine", { cluster: "prod", spec: spec(theirs) });
  await world.until(async () => readyOf(await getMachine(world, "mine"))?.reason === "OwnedByAnother");
  const { message } = readyOf(await getMachine(world, "mine")) ?? {};
  expect(message).toContain(`${field}: `);
  expect(message).not.toContain(other);
  expect(world.simulator.state.instances).toEqual([]);
  await trustIds(world);
  await world.until(() => world.simulator.state.instances.length === 1);
});

it.each<[field: string, network: object, spec: Partial<LinodeMachine["spec"]>]>([
  ["LinodeCluster spec.network.useVlan", { useVlan: true }, {}],
  ["spec.interfaces[0].label", {}, { interfaces: [{ purpose: "vlan", label: "prod", ipamAddress: "10.0.0.9/24" }] }],
  [
    "spec.linodeInterfaces[1].vlan.vlanLabel",
    {},
    { linodeInterfaces: [{ public: {} }, { vlan: { vlan_label: "prod", ipam_address: "10.0.0.9/24" } }] },
  ],
])("an instance joins by %s no VLAN in which another namespace has instances", async (field, network, spec) => {
  await using world = await startWorld();
  await createCluster(world, "prod", {
    network: { loadBalancerType: "NodeBalancer", enableVPCBackends: false, ...network },
  });
  await world.until(async () => (await getCluster(world, "prod"))?.status?.ready === true);
  await reportInfrastructure(world, "prod");
  await world.client.instances.create({
    region,
    type: "g6-nanode-1",
    image: "linode/debian12",
    authorized_keys: ["ssh-ed25519 AAAA"],
    label: "theirs",
    tags: [`capstan-owner=${"a".repeat(20)}`, `capstan-of=${other}/theirs`],
    interfaces: [{ purpose: "vlan", label: "prod", ipam_address: "10.0.0.1/24" }],
  });
  await createMachine(world, "mine", { cluster: "prod", spec });
  await world.until(async () => readyOf(await getMachine(world, "mine"))?.reason === "OwnedByAnother");
  const { message } = readyOf(await getMachine(world, "mine")) ?? {};
  expect(message).toContain(`${field}: VLAN prod belongs to another owner`);
  expect(message).not.toContain(other);
  expect(world.simulator.state.instances).toHaveLength(1);
  await trustIds(world);
  await world.until(() => world.simulator.state.instances.length === 2);
});

it("an instance is made from no backup by the manager's token, which reaches those of everybody", async () => {
  await using world = await startWorld();
  await provision(world);
  const body = { region, type: "g6-nanode-1", image: "linode/debian12", authorized_keys: ["ssh-ed25519 AAAA"] };
  const { id } = await world.client.instances.create({ ...body, label: "theirs", backups_enabled: true });
  await world.pass(120_000);
  const backup = await world.client.instances.createSnapshot(id, { label: "before" });
  await world.pass(600_000);
  const from = { backupID: backup.id, type: "g6-standard-1", region };
  await createMachine(world, "mine", { cluster: "prod", spec: from });
  await world.until(async () => readyOf(await getMachine(world, "mine"))?.reason === "OwnedByAnother");
  expect(readyOf(await getMachine(world, "mine"))?.message).toContain("spec.backupID: the owner of backup");
  expect(world.simulator.state.instances.length).toBe(1);
  await createSecret(world, "own", { apiToken: world.simulator.token });
  await createMachine(world, "own", { cluster: "prod", spec: { ...from, credentialsRef: { name: "own" } } });
  await world.until(() => world.simulator.state.instances.length === 2);
});

it("an instance is made from no image that is tagged for other namespaces", async () => {
  await using world = await startWorld();
  await provision(world);
  const body = { region, type: "g6-nanode-1", image: "linode/debian12", authorized_keys: ["ssh-ed25519 AAAA"] };
  const { id } = await world.client.instances.create({ ...body, label: "theirs" });
  await world.pass(120_000);
  const [disk] = world.simulator.state.instances.find((each) => each.id === id)!.disks;
  const made = await world.client.images.create({ disk_id: disk!.id, label: "theirs", tags: ["capstan-of=blue/"] });
  await world.pass(120_000);
  await createMachine(world, "mine", { cluster: "prod", spec: { image: made.id } });
  await world.until(async () => readyOf(await getMachine(world, "mine"))?.reason === "OwnedByAnother");
  const { message } = readyOf(await getMachine(world, "mine")) ?? {};
  expect(message).toContain(`spec.image: the image ${made.id} is tagged for other namespaces`);
  expect(message).not.toContain("blue");
  await createMachine(world, "other", { cluster: "prod", spec: { image: "private/1" } });
  await world.until(() => world.simulator.state.instances.length === 2);
});

it("an instance that runs is not put behind a firewall of another namespace", async () => {
  const { theirs, world } = await start();
  await using _ = world;
  await provision(world);
  await createMachine(world, "mine", { cluster: "prod" });
  await world.until(async () => (await getMachine(world, "mine"))?.status?.ready === true);
  await patchSpec(world, Machine, "mine", { firewallID: theirs.firewall });
  await world.until(async () =>
    (readyOf(await getMachine(world, "mine"))?.message ?? "").includes("spec.firewallID: firewall"),
  );
  expect(only(world.simulator.state.firewalls).devices).toEqual([]);
});

it("a NodeBalancer is not put behind a firewall of another namespace", async () => {
  const { theirs, world } = await start();
  await using _ = world;
  const network = { nodeBalancerFirewallID: theirs.firewall } as NonNullable<LinodeCluster["spec"]["network"]>;
  await createCluster(world, "prod", { network });
  await world.until(async () => readyOf(await getCluster(world, "prod"))?.reason === "OwnedByAnother");
  expect(only(world.simulator.state.firewalls).devices).toEqual([]);
  expect(world.simulator.state.nodeBalancers).toEqual([]);
});

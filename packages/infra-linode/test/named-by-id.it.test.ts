import { conditionOf } from "@capstan/contract/wire";
import { adoptAnnotation } from "@capstan/kit/engine";
import { apiVersionOf } from "@capstan/schema";
import type { KubeObject, Resource } from "@capstan/schema";
import { expect, it } from "vitest";
import { LinodeCluster, LinodeFirewall, LinodeMachine, LinodePlacementGroup, LinodeVPC } from "../src/api.ts";
import {
  createCluster,
  createMachine,
  createObject,
  getCluster,
  getMachine,
  getObject,
  isReady,
  namespace,
  patchSpec,
  readyOf,
  reportInfrastructure,
  startWorld,
  trustIds,
} from "./management.ts";
import type { World } from "./management.ts";
import { only } from "@capstan/sim-linode/testing";

type Spec = Readonly<Record<string, unknown>>;

const key = { namespace, name: "mine" };
const region = "us-ord";
const rules = { inbound: [], outbound: [], inbound_policy: "DROP", outbound_policy: "DROP" } as const;
const vanished = "0b8b9f3c-5f1c-4b7c-9d3a-2f5f0f1b8c11";
const adopting = { annotations: { [adoptAnnotation]: "true" } };

const account = ({ simulator: { state } }: World): string =>
  JSON.stringify([state.vpcs, state.firewalls, state.placementGroups, state.nodeBalancers, state.instances]);

const instanceBody = {
  region,
  type: "g6-nanode-1",
  image: "linode/debian12",
  authorized_keys: ["ssh-ed25519 AAAA"],
  label: "theirs",
};

interface Case {
  readonly kind: Resource;
  /** Of an object that would change what it names. */
  readonly spec: Spec;
  readonly idField: string;
  readonly make: (world: World) => Promise<{ readonly id: number }>;
}

const cases: readonly Case[] = [
  {
    kind: LinodeVPC,
    spec: { region, description: "mine", subnets: [{ label: "more", ipv4: "10.9.0.0/24" }] },
    idField: "vpcID",
    make: ({ client }) => client.vpcs.create({ label: "theirs", region, description: "theirs" }),
  },
  {
    kind: LinodeFirewall,
    spec: { enabled: true, inboundPolicy: "ACCEPT" },
    idField: "firewallID",
    make: ({ client }) => client.firewalls.create({ label: "theirs", rules }),
  },
  {
    kind: LinodeFirewall,
    spec: { enabled: true, inboundPolicy: "ACCEPT" },
    idField: "firewallID",
    make: ({ client }) => client.firewalls.create({ label: "elsewhere", rules, tags: [`capstan-uid=${vanished}`] }),
  },
  {
    kind: LinodePlacementGroup,
    spec: { region },
    idField: "pgID",
    make: ({ client }) =>
      client.placementGroups.create({
        label: "theirs",
        region,
        placement_group_type: "anti_affinity:local",
        placement_group_policy: "strict",
      }),
  },
];

it.each(cases)("a $kind.kind uses what its $idField names, and neither changes nor deletes it", async (each) => {
  const { idField, kind, make, spec } = each;
  await using world = await startWorld();
  const { id } = await make(world);
  const before = account(world);
  await createObject(world, kind, "mine", { ...spec, [idField]: id });
  await world.until(() => isReady(world, kind, "mine"));
  await world.pass(700_000);
  const object = (await getObject<KubeObject>(world, kind, "mine"))!;
  expect(conditionOf(object, "Owned")).toMatchObject({ status: "False", reason: "NamedById" });
  // Asking for it is not enough without an administrator.
  await world.api.patch(kind, key, { type: "merge", body: { metadata: adopting } });
  await world.pass(700_000);
  await world.kill();
  await world.startControllers();
  await world.pass(30_000);
  await world.api.delete(kind, key);
  await world.until(async () => (await world.api.find(kind, key)) === undefined);
  expect(account(world)).toBe(before);
});

it.each(cases)("a $kind.kind takes over what its $idField names where an administrator allows it", async (each) => {
  const { idField, kind, make, spec } = each;
  await using world = await startWorld();
  const { id } = await make(world);
  await createObject(world, kind, "mine", { ...spec, [idField]: id }, adopting);
  await world.until(() => isReady(world, kind, "mine"));
  await trustIds(world);
  const isOwned = async () => {
    const object = await getObject<KubeObject>(world, kind, "mine");
    return object !== undefined && conditionOf(object, "Owned")?.status === "True";
  };
  await world.until(isOwned);
  await world.until(() => isReady(world, kind, "mine"));
  await world.api.delete(kind, key);
  await world.until(async () => (await world.api.find(kind, key)) === undefined);
  const { firewalls, placementGroups, vpcs } = world.simulator.state;
  expect([...firewalls, ...placementGroups, ...vpcs]).toEqual([]);
});

it.each(cases)("a $kind.kind that was ready before an upgrade keeps what its $idField names", async (each) => {
  const { idField, kind, make, spec } = each;
  await using world = await startWorld();
  const { id } = await make(world);
  await world.kill();
  await createObject(world, kind, "mine", { ...spec, [idField]: id });
  await world.api.patch(kind, key, { type: "merge", body: { status: { ready: true } } }, { subresource: "status" });
  await world.startControllers();
  await world.until(() => isReady(world, kind, "mine"));
  await world.api.delete(kind, key);
  await world.until(async () => (await world.api.find(kind, key)) === undefined);
  const { firewalls, placementGroups, vpcs } = world.simulator.state;
  expect([...firewalls, ...placementGroups, ...vpcs]).toEqual([]);
});

it("an object that has its own thing does not take another one by naming that", async () => {
  await using world = await startWorld();
  const { client, simulator } = world;
  await createObject(world, LinodeFirewall, "mine", { enabled: true });
  await world.until(() => isReady(world, LinodeFirewall, "mine"));
  const own = only(simulator.state.firewalls);
  const theirs = await client.firewalls.create({ label: "theirs", rules });
  await client.firewalls.delete(own.id);
  const before = account(world);
  await patchSpec(world, LinodeFirewall, "mine", { firewallID: theirs.id, inboundPolicy: "ACCEPT" });
  await world.pass(700_000);
  await world.api.delete(LinodeFirewall, key);
  await world.until(async () => (await world.api.find(LinodeFirewall, key)) === undefined);
  expect(account(world)).toBe(before);
});

it("what an older release made is marked once where that is allowed, and stays the object's when that is moved", async () => {
  await using world = await startWorld();
  const { api, client, simulator } = world;
  const { id } = await client.firewalls.create({ label: "mine", rules, tags: [`capstan-uid=${vanished}`] });
  await trustIds(world);
  await createObject(world, LinodeFirewall, "mine", { enabled: true, firewallID: id }, adopting);
  await world.until(() => isReady(world, LinodeFirewall, "mine"));
  const marks = () =>
    simulator.state.firewalls.flatMap((each) => each.tags.filter((tag) => tag.startsWith("capstan-owner=")));
  expect(marks()).toHaveLength(1);
  const before = marks();
  const { metadata, spec } = (await getObject<LinodeFirewall>(world, LinodeFirewall, "mine"))!;
  await world.kill();
  await api.patch(LinodeFirewall, key, { type: "merge", body: { metadata: { finalizers: [] } } });
  await api.delete(LinodeFirewall, key);
  const { annotations: { [adoptAnnotation]: _, ...annotations } = {}, labels = {} } = metadata;
  await api.create(LinodeFirewall, {
    apiVersion: apiVersionOf(LinodeFirewall),
    kind: LinodeFirewall.kind,
    metadata: { ...key, annotations, labels },
    spec,
  });
  await world.startControllers();
  await world.until(() => isReady(world, LinodeFirewall, "mine"));
  expect(marks()).toEqual(before);
  await api.delete(LinodeFirewall, key);
  await world.until(() => simulator.state.firewalls.length === 0);
});

const startCluster = async (world: World): Promise<void> => {
  await createCluster(world, "prod", {});
  await world.until(async () => (await getCluster(world, "prod"))?.status?.ready === true);
  await reportInfrastructure(world, "prod");
};

it("a LinodeMachine neither changes nor deletes an instance that its provider id names, until it may adopt it", async () => {
  await using world = await startWorld();
  await startCluster(world);
  const { id } = await world.client.instances.create(instanceBody);
  await world.pass(30_000);
  const before = account(world);
  const spec = { providerID: `linode://${id}`, tags: ["mine"] };
  await createMachine(world, "mine", { cluster: "prod", spec });
  await world.until(async () => readyOf(await getMachine(world, "mine"))?.reason === "NamedById");
  await world.pass(120_000);
  await world.api.delete(LinodeMachine, key);
  await world.until(async () => (await getMachine(world, "mine")) === undefined);
  expect(account(world)).toBe(before);

  await trustIds(world);
  await createMachine(world, "second", { cluster: "prod", spec });
  await world.until(async () => readyOf(await getMachine(world, "second"))?.reason === "NamedById");
  await world.api.patch(LinodeMachine, { namespace, name: "second" }, { type: "merge", body: { metadata: adopting } });
  await world.until(async () => (await getMachine(world, "second"))?.status?.ready === true);
  const instance = only(world.simulator.state.instances);
  await world.until(() => instance.tags.some((tag) => tag.startsWith("capstan-owner=")));
  await world.api.delete(LinodeMachine, { namespace, name: "second" });
  await world.until(() => world.simulator.state.instances.length === 0);
});

it("a LinodeMachine that was ready under upstream's controllers keeps its instance", async () => {
  await using world = await startWorld();
  await startCluster(world);
  const { id } = await world.client.instances.create({ ...instanceBody, label: "mine", tags: ["prod"] });
  await world.pass(30_000);
  await world.kill();
  await createMachine(world, "mine", { cluster: "prod", spec: { providerID: `linode://${id}` } });
  const status = { ready: true, instanceState: "running", tags: ["prod"] };
  await world.api.patch(LinodeMachine, key, { type: "merge", body: { status } }, { subresource: "status" });
  await world.startControllers();
  const instance = only(world.simulator.state.instances);
  await world.until(() => instance.tags.some((tag) => tag.startsWith("capstan-owner=")));
  expect((await getMachine(world, "mine"))?.status?.ready).toBe(true);
  await world.api.delete(LinodeMachine, key);
  await world.until(() => world.simulator.state.instances.length === 0);
});

it("a LinodeCluster neither changes nor deletes a NodeBalancer that it names", async () => {
  await using world = await startWorld();
  const balancer = await world.client.nodeBalancers.create({ region, label: "theirs" });
  const before = account(world);
  const network = { nodeBalancerID: balancer.id, nodeBalancerFirewallID: 0 } as LinodeCluster["spec"]["network"] &
    object;
  await createCluster(world, "prod", { network });
  await world.until(async () => (await getCluster(world, "prod"))?.status?.ready === true);
  expect((await getCluster(world, "prod"))?.spec.controlPlaneEndpoint?.host).toBe(balancer.ipv4);
  await reportInfrastructure(world, "prod");
  await world.pass(120_000);
  expect(conditionOf((await getCluster(world, "prod"))!, "Owned")).toMatchObject({ reason: "NamedById" });
  await world.api.delete(LinodeCluster, { namespace, name: "prod" });
  await world.until(async () => (await getCluster(world, "prod")) === undefined);
  expect(account(world)).toBe(before);
});

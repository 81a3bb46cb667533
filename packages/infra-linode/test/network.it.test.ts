import { adoptAnnotation } from "@capstan/kit/engine";
import type { Resource } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import {
  AddressSet,
  FirewallRule,
  LinodeCluster,
  LinodeFirewall,
  LinodeMachine,
  LinodePlacementGroup,
  LinodeVPC,
} from "../src/api.ts";
import {
  clusterName,
  createCluster,
  createMachine,
  createNamespace,
  createObject as create,
  getCluster,
  getMachine,
  getObject as get,
  isReady,
  namespace,
  patchSpec as patch,
  readyOf,
  reportInfrastructure,
  startWorld,
  trustIds,
} from "./management.ts";
import { only } from "@capstan/sim-linode/testing";

const subnets = [{ label: "default", ipv4: "10.0.0.0/24" }];
const ssh = { action: "ACCEPT", label: "ssh", protocol: "TCP", ports: "22" };

describe("a cluster in a network of its own", () => {
  it("waits for the VPC, the firewalls and the placement group, uses them, and lets them go last", async () => {
    await using world = await startWorld();
    const { api, simulator } = world;
    await createCluster(world, "prod", {
      vpcRef: { name: "net" },
      nodeBalancerFirewallRef: { name: "edge" },
      network: { loadBalancerType: "NodeBalancer", enableVPCBackends: true, subnetName: "default" },
    });
    await world.until(async () => readyOf(await getCluster(world, "prod"))?.reason === "LinodeVPCNotYetAvailable");
    const labels = { labels: clusterName("prod") };
    await create(world, LinodeVPC, "net", { region: "us-ord", subnets }, labels);
    const addresses = { ipv4: ["10.0.0.0/8"] };
    await create(world, LinodeFirewall, "edge", { enabled: true, inboundRules: [{ ...ssh, addresses }] }, labels);
    await create(world, LinodeFirewall, "inner", { enabled: true, inboundRules: [{ ...ssh, addresses }] }, labels);
    await create(world, LinodePlacementGroup, "spread", { region: "us-ord" }, labels);
    await world.until(async () => (await getCluster(world, "prod"))?.status?.ready === true);
    await reportInfrastructure(world, "prod");
    await createMachine(world, "prod-cp", {
      cluster: "prod",
      controlPlane: true,
      spec: {
        interfaces: [{ purpose: "public" }],
        firewallRef: { name: "inner" },
        placementGroupRef: { name: "spread" },
      },
    });
    await world.until(async () => (await getMachine(world, "prod-cp"))?.status?.ready === true);

    const { instances, nodeBalancers, placementGroups, vpcs } = simulator.state;
    const vpc = only(vpcs);
    const instance = only(instances);
    expect((await get(world, LinodeVPC, "net"))?.spec).toMatchObject({
      vpcID: vpc.id,
      subnets: [{ label: "default", subnetID: vpc.subnets[0]?.id }],
    });
    expect((await get(world, LinodeVPC, "net"))?.status).toMatchObject({
      ready: true,
      initialization: { provisioned: true },
    });
    expect(instance.placementGroupId).toBe(only(placementGroups).id);
    const inner = (await get(world, LinodeFirewall, "inner"))?.spec.firewallID ?? 0;
    const firewalls = await world.client.instances.listFirewalls(instance.id);
    expect(firewalls.map(({ id }) => id)).toEqual([inner]);
    await world.until(() => nodeBalancers[0]?.configs[0]?.nodes.length === 1);
    expect(nodeBalancers[0]?.configs[0]?.nodes[0]?.address).toMatch(/^10\.0\.0\.\d+:6443$/);

    const owner = (await get(world, LinodeVPC, "net"))?.metadata.ownerReferences;
    expect(owner).toMatchObject([{ kind: "LinodeCluster", name: "prod", controller: true }]);

    // The network waits for the machines, whatever is deleted first.
    await api.delete(LinodeVPC, { namespace, name: "net" });
    await world.until(async () => readyOf(await get(world, LinodeVPC, "net"))?.reason === "InUse");
    await api.delete(LinodePlacementGroup, { namespace, name: "spread" });
    await world.until(async () => readyOf(await get(world, LinodePlacementGroup, "spread"))?.reason === "InUse");
    await api.delete(LinodeMachine, { namespace, name: "prod-cp" });
    await api.delete(LinodeCluster, { namespace, name: "prod" });
    await world.until(async () => (await get(world, LinodeVPC, "net")) === undefined);
    await world.until(async () => (await get(world, LinodePlacementGroup, "spread")) === undefined);
    for (const name of ["edge", "inner"]) await api.delete(LinodeFirewall, { namespace, name });
    await world.until(async () => (await get(world, LinodeFirewall, "inner")) === undefined);
    await world.until(async () => (await get(world, LinodeFirewall, "edge")) === undefined);
    const { firewalls: left, vpcs: leftVpcs, placementGroups: leftGroups, nodeBalancers: balancers } = simulator.state;
    expect([left, leftVpcs, leftGroups, balancers]).toEqual([[], [], [], []]);
    expect(simulator.requests.violations).toEqual([]);
  });
});

it("makes each subnet without a label once, and writes nothing more", async () => {
  await using world = await startWorld();
  const { simulator } = world;
  const unnamed = [{ ipv4: "10.0.0.0/24" }, { ipv4: "10.0.1.0/24" }];
  await create(world, LinodeVPC, "net", { region: "us-ord", subnets: unnamed });
  await world.until(async () => readyOf(await get(world, LinodeVPC, "net"))?.status === "True");
  expect(only(simulator.state.vpcs).subnets.map(({ ipv4 }) => ipv4)).toEqual(["10.0.0.0/24", "10.0.1.0/24"]);
  const { writes } = simulator.requests;
  await world.pass(300_000);
  expect(simulator.requests.writes).toBe(writes);
  expect(readyOf(await get(world, LinodeVPC, "net"))?.status).toBe("True");
  expect(simulator.requests.violations).toEqual([]);
});

describe("a firewall", () => {
  it("has the rules and addresses it refers to, also through rules, and follows their changes", async () => {
    await using world = await startWorld();
    const { state } = world.simulator;
    await create(world, FirewallRule, "web", {
      action: "ACCEPT",
      label: "web",
      protocol: "TCP",
      ports: "443",
      addressSetRefs: [{ name: "offices" }],
    });
    await create(world, LinodeFirewall, "wall", { enabled: true, inboundRuleRefs: [{ name: "web" }] });
    await world.until(async () => readyOf(await get(world, LinodeFirewall, "wall"))?.reason === "ReferenceMissing");
    expect(readyOf(await get(world, LinodeFirewall, "wall"))?.message).toContain(
      "AddressSet default/offices does not exist",
    );
    expect(state.firewalls).toEqual([]);
    await create(world, AddressSet, "offices", { ipv4: ["192.0.2.1"], ipv6: ["2001:db8::1"] });
    await world.until(() => isReady(world, LinodeFirewall, "wall"));
    const addressesOf = () => only(state.firewalls).rules.inbound.map(({ addresses }) => addresses);
    expect(addressesOf()).toEqual([{ ipv4: ["192.0.2.1/32"] }, { ipv6: ["2001:db8::1/128"] }]);
    await patch(world, AddressSet, "offices", { ipv4: ["198.51.100.0/24"], ipv6: null });
    await world.until(() => JSON.stringify(addressesOf()) === JSON.stringify([{ ipv4: ["198.51.100.0/24"] }]));
    await patch(world, FirewallRule, "web", { ports: "8443" });
    await world.until(() => only(state.firewalls).rules.inbound[0]?.ports === "8443");
    await patch(world, LinodeFirewall, "wall", { enabled: false });
    await world.until(() => only(state.firewalls).status === "disabled");
  });

  it("does not take a FirewallRule of another namespace for its own, or one that it may not refer to", async () => {
    let follows: readonly string[] = [];
    const references = { follows: async ({ kind }: Resource) => follows.includes(kind) };
    await using world = await startWorld({ references });
    const isRefused = async () => readyOf(await get(world, LinodeFirewall, "wall"))?.reason === "ReferenceNotAdmitted";
    const addresses = { ipv4: ["192.0.2.0/24"] };
    await createNamespace(world, "other");
    await create(world, FirewallRule, "web", { ...ssh, addresses }, { namespace: "other" });
    await create(world, LinodeFirewall, "wall", { inboundRuleRefs: [{ name: "web" }] });
    await world.until(async () => readyOf(await get(world, LinodeFirewall, "wall"))?.reason === "ReferenceMissing");
    await patch(world, LinodeFirewall, "wall", { inboundRuleRefs: [{ name: "web", namespace: "other" }] });
    await world.until(isRefused);
    follows = ["LinodeFirewall"];
    await world.until(async () => !(await isRefused()));
    const sets = { addressSetRefs: [{ name: "theirs", namespace: "default" }] };
    await world.api.patch(FirewallRule, { namespace: "other", name: "web" }, { type: "merge", body: { spec: sets } });
    await world.until(isRefused);
    await world.api.patch(
      FirewallRule,
      { namespace: "other", name: "web" },
      { type: "merge", body: { spec: { addressSetRefs: null } } },
    );
    await world.until(() => isReady(world, LinodeFirewall, "wall"));
  });

  it("is not made out of the firewall that a stranger has called so", async () => {
    await using world = await startWorld();
    const rules = { inbound: [], outbound: [], inbound_policy: "DROP", outbound_policy: "DROP" } as const;
    const theirs = await world.client.firewalls.create({ label: "wall", rules });
    await create(world, LinodeFirewall, "wall", { enabled: true });
    await world.until(() => isReady(world, LinodeFirewall, "wall"));
    expect((await get(world, LinodeFirewall, "wall"))?.spec.firewallID).not.toBe(theirs.id);
    expect((await world.client.firewalls.get(theirs.id)).rules.inbound_policy).toBe("DROP");
  });
});

describe("a VPC", () => {
  it("that is to stay loses only the subnets that go with the object", async () => {
    await using world = await startWorld();
    const { state } = world.simulator;
    const { id } = await world.client.vpcs.create({ label: "theirs", region: "us-ord", subnets: [...subnets] });
    const added = [
      { ...subnets[0], retain: true },
      { label: "second", ipv4: "10.0.1.0/24" },
    ];
    await trustIds(world);
    const annotations = { [adoptAnnotation]: "true" };
    const spec = { region: "us-ord", vpcID: id, retain: true, subnets: added };
    await create(world, LinodeVPC, "net", spec, { annotations });
    await world.until(() => isReady(world, LinodeVPC, "net"));
    expect(only(state.vpcs).subnets.map(({ label }) => label)).toEqual(["default", "second"]);
    expect(only(state.vpcs).description).toContain("capstan-owner=default/net/");
    await world.api.delete(LinodeVPC, { namespace, name: "net" });
    await world.until(async () => (await get(world, LinodeVPC, "net")) === undefined);
    expect(only(state.vpcs).subnets.map(({ label }) => label)).toEqual(["default"]);
  });

  it("of a stranger with the same label is left alone", async () => {
    await using world = await startWorld();
    await world.client.vpcs.create({ label: "net", region: "us-ord" });
    await create(world, LinodeVPC, "net", { region: "us-ord", subnets });
    await world.until(() => isReady(world, LinodeVPC, "net"));
    const [theirs, ours] = world.simulator.state.vpcs;
    expect(theirs?.subnets).toEqual([]);
    expect(ours?.label).toMatch(/^net-[0-9a-f]{8}$/);
  });

  it("gets IPv6 ranges in either spelling, and records them", async () => {
    await using world = await startWorld();
    const ipv6Range = [{ range: "auto" }];
    await create(world, LinodeVPC, "net", {
      region: "us-ord",
      ipv6Range: [{ range: "auto", allocation_class: "vpc" }],
      subnets: [{ ...subnets[0], ipv6Range }],
    });
    await world.until(() => isReady(world, LinodeVPC, "net"));
    const { ipv6, subnets: made } = (await get(world, LinodeVPC, "net"))?.spec ?? {};
    expect(ipv6?.[0]?.range).toMatch(/\/52$/);
    expect(made?.[0]?.ipv6?.[0]?.range).toMatch(/\/\d+$/);
  });
});

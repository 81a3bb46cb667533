import { ClusterResource, conditionsOf } from "@capstan/contract/wire";
import { describe, expect, it } from "vitest";
import { LinodeCluster, LinodeFirewall } from "../src/api.ts";
import { portsAnnotation } from "../src/cluster/closed-ports.ts";
import {
  createCluster,
  createMachine,
  createObject,
  getCluster,
  getMachine,
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

type Network = NonNullable<LinodeCluster["spec"]["network"]>;

const rules = { inbound: [], outbound: [], inbound_policy: "DROP", outbound_policy: "ACCEPT" } as const;

const isProvisioned = async (world: World): Promise<boolean> =>
  (await getCluster(world, "prod"))?.status?.ready === true;

const annotationsOf = (cluster: LinodeCluster | undefined): readonly string[] =>
  Object.keys(cluster?.metadata.annotations ?? {});

const firewallCondition = async (world: World) => {
  const cluster = await getCluster(world, "prod");
  const found = conditionsOf(cluster!).find(({ type }) => type === "PreflightLinodeNBFirewallReady");
  return found && `${found.status} ${found.reason}`;
};

it("stands behind the firewall that its cluster names, also when that changes or somebody takes it away", async () => {
  await using world = await startWorld();
  const { client, simulator } = world;
  const [first, second] = await Promise.all(
    ["first", "second"].map(async (label) => (await client.firewalls.create({ label, rules })).id),
  );
  await createCluster(world, "prod", { network: { nodeBalancerFirewallID: first! } as Network });
  await world.until(() => isProvisioned(world));
  const { id } = only(simulator.state.nodeBalancers);
  const firewalls = async () => (await client.nodeBalancers.listFirewalls(id)).map((each) => each.id);
  const become = (wanted: readonly unknown[]) =>
    world.until(async () => JSON.stringify(await firewalls()) === JSON.stringify(wanted));
  expect(await firewalls()).toEqual([first]);
  expect(await firewallCondition(world)).toBe("True LinodeFirewallReady");
  await patchSpec(world, LinodeCluster, "prod", { network: { nodeBalancerFirewallID: second } });
  await become([second]);
  await client.nodeBalancers.updateFirewalls(id, { firewall_ids: [] });
  await become([second]);
  await patchSpec(world, LinodeCluster, "prod", { network: { nodeBalancerFirewallID: 0 } });
  await become([]);
  await patchSpec(world, LinodeCluster, "prod", { network: { nodeBalancerFirewallID: null } });
  await client.nodeBalancers.updateFirewalls(id, { firewall_ids: [first!] });
  const { writes } = simulator.requests;
  await world.pass(700_000);
  expect([await firewalls(), simulator.requests.writes], "what nothing is said of stays").toEqual([[first], writes]);
  expect(simulator.requests.violations).toEqual([]);
});

it("waits for the LinodeFirewall that its cluster refers to, and says so", async () => {
  await using world = await startWorld();
  await createCluster(world, "prod", { nodeBalancerFirewallRef: { name: "edge" } });
  await world.until(async () => readyOf(await getCluster(world, "prod"))?.reason === "LinodeFirewallNotYetAvailable");
  expect(await firewallCondition(world)).toBe("False LinodeFirewallNotYetAvailable");
  // It comes up, but not yet.
  const inboundRuleRefs = [{ name: "later" }];
  await createObject(world, LinodeFirewall, "edge", { enabled: true, inboundRuleRefs });
  await world.until(async () => readyOf(await getCluster(world, "prod"))?.reason === "LinodeFirewallCreating");
  expect(await firewallCondition(world)).toBe("False LinodeFirewallCreating");
  expect(world.simulator.state.nodeBalancers).toEqual([]);
  await patchSpec(world, LinodeFirewall, "edge", { inboundRuleRefs: null });
  await world.until(() => isProvisioned(world));
  expect(await firewallCondition(world)).toBe("True LinodeFirewallReady");
  const [firewall] = await world.client.nodeBalancers.listFirewalls(only(world.simulator.state.nodeBalancers).id);
  expect(firewall?.label).toBe("edge");
});

it("takes its addresses from the range of the subnet that its cluster names", async () => {
  await using world = await startWorld();
  const { client, simulator } = world;
  const subnets = [
    { label: "other", ipv4: "10.1.0.0/24" },
    { label: "nodes", ipv4: "10.2.0.0/24" },
  ];
  const vpc = await client.vpcs.create({ label: "net", region: "us-ord", subnets });
  const network = {
    enableVPCBackends: true,
    subnetName: "nodes",
    nodeBalancerBackendIPv4Range: "10.2.0.240/30",
  } as Network;
  await createCluster(world, "prod", { vpcID: vpc.id, network });
  await world.until(() => isProvisioned(world));
  const balancer = only(simulator.state.nodeBalancers);
  expect((await client.nodeBalancers.listVpcs(balancer.id)).map((each) => [each.subnet_id, each.ipv4_range])).toEqual([
    [vpc.subnets[1]?.id, "10.2.0.240/30"],
  ]);
  await reportInfrastructure(world, "prod");
  const interfaces = [{ purpose: "public" }];
  await createMachine(world, "prod-cp", { cluster: "prod", controlPlane: true, spec: { interfaces } });
  await world.until(() => balancer.configs[0]?.nodes.length === 1);
  expect((await getMachine(world, "prod-cp"))?.status?.addresses).toContainEqual({
    type: "InternalIP",
    address: balancer.configs[0]?.nodes[0]?.address.split(":")[0],
  });
  expect(balancer.configs[0]?.nodes[0]?.address).toMatch(/^10\.2\.0\.\d+:6443$/);
  expect(simulator.requests.violations).toEqual([]);
});

it("says when the endpoint is somewhere else, and when it is right again", async () => {
  await using world = await startWorld();
  const saying = async (status: string, words = "") => {
    const found = conditionsOf((await getCluster(world, "prod"))!).find((each) => each.type === endpoint);
    return found?.status === status && (found.message ?? "").includes(words);
  };
  const endpoint = "ControlPlaneEndpointCorrect";
  const point = (host: string) => patchSpec(world, LinodeCluster, "prod", { controlPlaneEndpoint: { host } });
  await createCluster(world, "prod");
  await world.until(() => isProvisioned(world));
  const { id, ipv4 } = only(world.simulator.state.nodeBalancers);
  await world.pass(30_000);
  expect(conditionsOf((await getCluster(world, "prod"))!).map((each) => each.type)).not.toContain(endpoint);
  await point("192.0.2.9");
  const address = `spec.controlPlaneEndpoint.host is 192.0.2.9, but NodeBalancer ${id} has the address ${ipv4}`;
  await world.until(() => saying("False", address));
  expect(await isReady(world, LinodeCluster, "prod"), "what is there serves").toBe(true);
  await point("api.example.com");
  await world.until(() => saying("True"));
  const body = { spec: { controlPlaneEndpoint: { host: ipv4, port: 6443 } } };
  await world.api.patch(ClusterResource, { namespace, name: "prod" }, { type: "merge", body });
  await world.until(() => saying("False", `Cluster default/prod already uses the immutable endpoint ${ipv4}`));
  await point(ipv4);
  await world.until(() => saying("True"));
});

const portsAt = async ({ client }: World, balancer: number): Promise<readonly number[]> =>
  (await client.nodeBalancers.listConfigs(balancer)).map(({ port }) => port).toSorted((a, b) => a - b);

describe("a port that its cluster does not name any more", () => {
  const ports = (...numbers: readonly number[]) => ({
    network: { additionalPorts: numbers.map((port) => ({ port })) } as unknown as Network,
  });

  it("is closed, and what somebody else has opened stays", async () => {
    await using world = await startWorld();
    const { client, simulator } = world;
    await createCluster(world, "prod", ports(8132, 9345));
    await world.until(() => isProvisioned(world));
    const { id } = only(simulator.state.nodeBalancers);
    const open = () => portsAt(world, id);
    const become = (...wanted: readonly number[]) => world.until(async () => (await open()).join() === wanted.join());
    await become(6443, 8132, 9345);
    await client.nodeBalancers.createConfig(id, { port: 443, protocol: "tcp" });
    await patchSpec(world, LinodeCluster, "prod", ports(8132));
    await become(443, 6443, 8132);
    await world.kill();
    await patchSpec(world, LinodeCluster, "prod", { network: { additionalPorts: null } });
    await world.startControllers();
    await become(443, 6443);
    await world.until(async () => !annotationsOf(await getCluster(world, "prod")).includes(portsAnnotation));
    const { writes } = simulator.requests;
    await world.pass(700_000);
    expect([await open(), simulator.requests.writes]).toEqual([[443, 6443], writes]);

    const moved = { additionalPorts: [{ port: 6443 }], apiserverLoadBalancerPort: 443 };
    await patchSpec(world, LinodeCluster, "prod", { network: moved });
    await world.until(async () => annotationsOf(await getCluster(world, "prod")).includes(portsAnnotation));
    await patchSpec(world, LinodeCluster, "prod", { network: { additionalPorts: null } });
    await world.until(async () => !annotationsOf(await getCluster(world, "prod")).includes(portsAnnotation));
    expect(await open(), "the endpoint is there").toEqual([443, 6443]);
    expect(simulator.requests.violations).toEqual([]);
  });

  it("stays open at the NodeBalancer that the user brought", async () => {
    await using world = await startWorld();
    const { client } = world;
    const { id } = await client.nodeBalancers.create({ region: "us-ord", label: "theirs" });
    const { network } = ports(8132);
    await trustIds(world);
    await createCluster(world, "prod", { network: { ...network, nodeBalancerID: id } });
    await world.until(() => isProvisioned(world));
    await patchSpec(world, LinodeCluster, "prod", {
      network: { additionalPorts: null, apiserverLoadBalancerPort: 443 },
    });
    const open = () => portsAt(world, id);
    await world.until(async () => (await open()).includes(443));
    await world.pass(60_000);
    expect(await open()).toEqual([443, 6443, 8132]);
  });
});

it("is not made with a range that the subnet does not have, and says which field is wrong", async () => {
  await using world = await startWorld();
  const vpc = await world.client.vpcs.create({
    label: "net",
    region: "us-ord",
    subnets: [{ label: "nodes", ipv4: "10.2.0.0/24" }],
  });
  const network = { enableVPCBackends: true, nodeBalancerBackendIPv4Range: "10.3.0.0/30" } as Network;
  await createCluster(world, "prod", { vpcID: vpc.id, network });
  await world.until(async () => readyOf(await getCluster(world, "prod"))?.reason === "LinodeRefused");
  expect(readyOf(await getCluster(world, "prod"))?.message).toContain("[vpcs.0.ipv4_range]");
  expect(await isReady(world, LinodeCluster, "prod")).toBe(false);
  const { nodeBalancers } = world.simulator.state;
  expect(nodeBalancers).toEqual([]);
});

import { MachineResource } from "@capstan/contract/wire";
import { expect, it } from "vitest";
import { LinodeCluster, LinodeMachine } from "../src/api.ts";
import {
  createCluster,
  createMachine,
  createSecret,
  getCluster,
  getMachine,
  namespace,
  patchSpec,
  readyOf,
  reportInfrastructure,
  startWorld,
} from "./management.ts";
import type { World } from "./management.ts";

const network = { loadBalancerType: "dns", enableVPCBackends: false, dnsRootDomain: "example.com" } as const;

const startZone = async (): Promise<World & { readonly zone: number }> => {
  const world = await startWorld();
  const { id: zone } = await world.client.domains.create({
    domain: "example.com",
    type: "master",
    soa_email: "ops@example.com",
  });
  return Object.assign(world, { zone });
};

const recordsOf = async ({ client, zone }: Awaited<ReturnType<typeof startZone>>): Promise<readonly string[]> =>
  (await client.domains.listRecords(zone)).map(({ name, target, type }) => `${name} ${type} ${target}`).toSorted();

const comeUp = async (world: World, name: string): Promise<readonly string[]> => {
  await createMachine(world, name, { cluster: "prod", controlPlane: true });
  await world.until(async () => (await getMachine(world, name))?.status?.ready === true);
  const addresses = (await getMachine(world, name))?.status?.addresses ?? [];
  return addresses
    .filter(({ type }) => type === "ExternalIP")
    .map(({ address }) => `prod ${address.includes(":") ? "AAAA" : "A"} ${address}`);
};

const becomeReady = ({ api }: World, name: string) =>
  api.patch(
    MachineResource,
    { namespace, name },
    { type: "merge", body: { status: { conditions: [{ type: "Ready", status: "True", reason: "Ready" }] } } },
    { subresource: "status" },
  );

it("makes a name the endpoint, with the addresses of the machines that serve, and leaves none of it", async () => {
  await using world = await startZone();
  await createCluster(world, "prod", { network });
  await world.until(async () => (await getCluster(world, "prod"))?.status?.ready === true);
  expect((await getCluster(world, "prod"))?.spec.controlPlaneEndpoint).toEqual({
    host: "prod.example.com",
    port: 6443,
  });
  await reportInfrastructure(world, "prod");
  const first = await comeUp(world, "cp-0");
  const owner = "prod TXT prod";
  expect(first.length).toBe(2);
  await world.until(async () => (await recordsOf(world)).length === 3);
  expect(await recordsOf(world)).toEqual([...first, owner].toSorted());

  const second = await comeUp(world, "cp-1");
  await world.pass(30_000);
  expect(await recordsOf(world), "a machine that does not serve yet").toEqual([...first, owner].toSorted());
  await becomeReady(world, "cp-1");
  await world.until(async () => (await recordsOf(world)).length === 5);
  expect(await recordsOf(world)).toEqual([...first, ...second, owner].toSorted());

  await becomeReady(world, "cp-0");
  await world.api.delete(LinodeMachine, { namespace, name: "cp-0" });
  await world.until(async () => (await recordsOf(world)).length === 3);
  expect(await recordsOf(world)).toEqual([...second, owner].toSorted());

  await world.client.domains.createRecord(world.zone, { type: "A", name: "www", target: "192.0.2.1" });
  await world.api.delete(LinodeMachine, { namespace, name: "cp-1" });
  await world.api.delete(LinodeCluster, { namespace, name: "prod" });
  await world.until(async () => (await getCluster(world, "prod")) === undefined);
  expect(await recordsOf(world)).toEqual(["www A 192.0.2.1"]);
  expect(world.simulator.state.nodeBalancers).toEqual([]);
  expect(world.simulator.requests.violations).toEqual([]);
});

it("has its own records cached as long as the cluster says, also when that changes or somebody changes them", async () => {
  await using world = await startZone();
  const { client, simulator, zone } = world;
  await createCluster(world, "prod", { network });
  await world.until(async () => (await getCluster(world, "prod"))?.status?.ready === true);
  await reportInfrastructure(world, "prod");
  await comeUp(world, "cp-0");
  await world.until(async () => (await recordsOf(world)).length === 3);
  await client.domains.createRecord(zone, { type: "TXT", name: "prod", target: "theirs", ttl_sec: 3600 });
  const times = async () =>
    (await client.domains.listRecords(zone)).map(({ target, ttl_sec: ttl, type }) =>
      type === "TXT" ? `${target} ${ttl}` : ttl,
    );
  const become = (ttl: number) =>
    world.until(async () => (await times()).join() === [`prod ${ttl}`, ttl, ttl, "theirs 3600"].join());
  await become(30);
  await patchSpec(world, LinodeCluster, "prod", { network: { dnsTTLsec: 300 } });
  await become(300);
  const [owner] = await client.domains.listRecords(zone);
  await client.domains.updateRecord(zone, owner!.id, { ttl_sec: 86_400 });
  await become(300);
  // Linode knows no such time: it takes one beside it, and that is no reason to write again and again.
  await patchSpec(world, LinodeCluster, "prod", { network: { dnsTTLsec: 100 } });
  await become(120);
  const { writes } = simulator.requests;
  await world.pass(700_000);
  expect(simulator.requests.writes).toBe(writes);
  expect(simulator.requests.violations).toEqual([]);
});

it("leaves a name alone that another cluster has", async () => {
  await using world = await startZone();
  await world.client.domains.createRecord(world.zone, { type: "TXT", name: "prod", target: "somebody" });
  await world.client.domains.createRecord(world.zone, { type: "A", name: "prod", target: "192.0.2.1" });
  await createCluster(world, "prod", { network });
  await world.until(async () => readyOf(await getCluster(world, "prod"))?.reason === "DnsNameTaken");
  await world.api.delete(LinodeCluster, { namespace, name: "prod" });
  await world.until(async () => (await getCluster(world, "prod")) === undefined);
  expect(await recordsOf(world)).toEqual(["prod A 192.0.2.1", "prod TXT somebody"]);
});

it("uses the token for DNS where the Secret has one", async () => {
  await using world = await startZone();
  await createSecret(world, "split", { apiToken: "none", dnsToken: world.simulator.token });
  await createCluster(world, "prod", { network, credentialsRef: { name: "split" } });
  await world.until(async () => (await getCluster(world, "prod"))?.status?.ready === true);
});

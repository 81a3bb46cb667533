import { expect, it } from "vitest";
import {
  createCluster,
  createMachine,
  getCluster,
  getMachine,
  readyOf,
  reportInfrastructure,
  startWorld,
} from "./management.ts";
import type { World } from "./management.ts";

const minute = 60_000;

const twoServers = async (world: World): Promise<void> => {
  await world.until(async () => (await getCluster(world, "prod"))?.status?.ready === true);
  await reportInfrastructure(world, "prod");
  for (const name of ["cp-0", "cp-1"]) {
    await createMachine(world, name, { cluster: "prod", controlPlane: true });
    await world.until(async () => (await getMachine(world, name))?.status?.ready === true);
  }
};

/** Deletes an instance at Linode, and waits a little longer than it takes to know. */
const lose = async (world: World, name: string): Promise<void> => {
  const { id } = world.simulator.state.instances.find(({ label }) => label === name)!;
  await world.client.instances.delete(id);
  await world.pass(2 * minute);
  expect(readyOf(await getMachine(world, name))).toMatchObject({ status: "False", reason: "InstanceMissing" });
  expect((await getMachine(world, name))?.status?.ready).toBe(false);
};

it("takes a machine whose instance is gone from behind the NodeBalancer", async () => {
  await using world = await startWorld();
  await createCluster(world, "prod");
  await twoServers(world);
  const labels = () =>
    world.simulator.state.nodeBalancers[0]?.configs[0]?.nodes.map(({ label }) => label).toSorted() ?? [];
  await world.until(() => labels().length === 2);
  await lose(world, "cp-0");
  expect(labels()).toEqual(["cp-1"]);
});

it("takes the addresses of a machine whose instance is gone from the name of the endpoint", async () => {
  await using world = await startWorld();
  const { id: zone } = await world.client.domains.create({
    domain: "example.com",
    type: "master",
    soa_email: "ops@example.com",
  });
  const network = { loadBalancerType: "dns", enableVPCBackends: false, dnsRootDomain: "example.com" } as const;
  await createCluster(world, "prod", { network });
  await twoServers(world);
  const targets = async () =>
    (await world.client.domains.listRecords(zone))
      .filter(({ type }) => type === "A" || type === "AAAA")
      .map(({ target }) => target)
      .toSorted();
  const external = async (name: string) =>
    ((await getMachine(world, name))?.status?.addresses ?? [])
      .flatMap(({ address, type }) => (type === "ExternalIP" ? [address] : []))
      .toSorted();
  const [first, second] = [await external("cp-0"), await external("cp-1")];
  await world.until(async () => (await targets()).join() === first.join());
  await lose(world, "cp-0");
  expect(await targets(), "the next machine is the first one now").toEqual(second);
});

it("sees an address that is added to an instance, and that is taken away again", async () => {
  await using world = await startWorld();
  await createCluster(world, "prod");
  await twoServers(world);
  const addressesOf = async () =>
    ((await getMachine(world, "cp-0"))?.status?.addresses ?? []).map((each) => each.address);
  const before = await addressesOf();
  const { id } = world.simulator.state.instances.find(({ label }) => label === "cp-0")!;
  const { address } = await world.client.instances.addAddress(id, { type: "ipv4", public: true });
  await world.until(async () => (await addressesOf()).includes(address));
  await world.client.instances.deleteAddress(id, address);
  await world.until(async () => (await addressesOf()).join() === before.join());
  const calls = world.simulator.requests.log.length;
  await world.pass(10 * minute);
  const since = world.simulator.requests.log.slice(calls);
  expect(
    since.filter(({ path }) => path.endsWith(`/${id}/ips`)),
    "addresses are not read again",
  ).toEqual([]);
});

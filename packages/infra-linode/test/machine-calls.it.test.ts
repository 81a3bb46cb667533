import { expect, it } from "vitest";
import { LinodeMachine } from "../src/api.ts";
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
import { only, smallInstance } from "@capstan/sim-linode/testing";

const clusterOf = async (world: World, region = "us-ord"): Promise<void> => {
  await createCluster(world, "prod", { region });
  await world.until(async () => (await getCluster(world, "prod"))?.status?.ready === true);
  await reportInfrastructure(world, "prod");
};

const isReady = async (world: World, name: string): Promise<boolean> =>
  (await getMachine(world, name))?.status?.ready === true;

const busy = { kind: "status", status: 400, reason: "Linode busy." } as const;

it("asks again where Linode is busy, and nothing is there twice", async () => {
  await using world = await startWorld();
  const { simulator } = world;
  await clusterOf(world);
  const calls = [
    ["POST", "linode/instances/*/disks"],
    ["PUT", "linode/instances/*/configs/*"],
    ["POST", "linode/instances/*/boot"],
    ["DELETE", "linode/instances/*"],
  ] as const;
  for (const [method, path] of calls) simulator.faults.add({ method, path, times: 3, action: busy });
  const seen = new Set<string>();
  const spec = { dataDisks: { sdc: { size: "1Gi" }, sdd: { size: "1Gi" } } };
  await createMachine(world, "node", { cluster: "prod", spec });
  await world.until(async () => {
    const { message = "", reason = "" } = readyOf(await getMachine(world, "node")) ?? {};
    if (reason === "LinodeBusy") seen.add(message.replace(/\d+/g, "N"));
    return isReady(world, "node");
  });
  expect([...seen].join("\n"), "it says what is waited for").toContain("Linode busy.");
  const { disks, configs } = only(simulator.state.instances);
  expect(disks.map(({ label }) => label)).toEqual(["linode/ubuntu22.04 Disk", "512 MB Swap Image", "sdc", "sdd"]);
  expect(only(configs).devices).toMatchObject({ sdc: { disk_id: disks[2]?.id }, sdd: { disk_id: disks[3]?.id } });
  expect(simulator.requests.count("POST linode/instances")).toBe(1);
  await world.api.delete(LinodeMachine, { namespace, name: "node" });
  await world.until(async () => (await getMachine(world, "node")) === undefined);
  expect(simulator.state.instances).toEqual([]);
  expect(simulator.requests.violations).toEqual([]);
});

it("names the field that Linode refuses, and makes the instance as soon as it is mended", async () => {
  await using world = await startWorld();
  const rules = { inbound: [], outbound: [], inbound_policy: "DROP", outbound_policy: "ACCEPT" } as const;
  const firewall = await world.client.firewalls.create({ label: "wall", rules });
  await clusterOf(world);
  await createMachine(world, "node", { cluster: "prod", spec: { firewallID: firewall.id + 1 } });
  await world.until(async () => readyOf(await getMachine(world, "node"))?.reason === "LinodeRefused");
  expect(readyOf(await getMachine(world, "node"))?.message).toMatch(
    /^could not create instance node: .+; correct spec\.firewallID or spec\.firewallRef$/,
  );
  await patchSpec(world, LinodeMachine, "node", { firewallID: firewall.id });
  const began = world.clock.now();
  await world.until(() => isReady(world, "node"));
  expect(world.clock.now() - began).toBeLessThan(250_000);
  expect(world.simulator.requests.count("POST linode/instances")).toBe(2);
  await patchSpec(world, LinodeMachine, "node", { firewallID: firewall.id + 1 });
  const wished =
    /^it is ready, but differs from the spec: could not set the firewalls .+; correct spec\.firewallID or spec\.firewallRef$/;
  await world.until(async () => wished.test(readyOf(await getMachine(world, "node"))?.message ?? ""));
  expect(readyOf(await getMachine(world, "node"))?.status).toBe("True");
  await patchSpec(world, LinodeMachine, "node", { firewallID: firewall.id });
  await world.until(async () => readyOf(await getMachine(world, "node"))?.message === "");
});

it("makes an instance from a backup, with its own bootstrap data", async () => {
  await using world = await startWorld();
  const { client, clock, simulator } = world;
  const { id } = await client.instances.create({ ...smallInstance, label: "origin", boot_size: 20_000 });
  await clock.advance(1000);
  await client.instances.enableBackups(id);
  const backup = await client.instances.createSnapshot(id, { label: "golden" });
  await clock.advance(1000);
  await clusterOf(world);
  const data = "#cloud-config\n# restored\n";
  await createSecret(world, "own", { apiToken: simulator.token });
  const spec = { backupID: backup.id, credentialsRef: { name: "own" } };
  await createMachine(world, "node", { cluster: "prod", data, spec });
  await world.until(() => isReady(world, "node"));
  const restored = simulator.state.instances.find(({ label }) => label === "node")!;
  expect(restored.disks.map(({ size }) => size)).toEqual([20_000, 512]);
  expect(Buffer.from(restored.userData ?? "", "base64").toString()).toBe(data);
  expect(simulator.requests.violations).toEqual([]);
});

it("makes none from a backup where its bootstrap data could not reach it, and says what to change", async () => {
  await using world = await startWorld();
  await clusterOf(world, "us-west");
  await createSecret(world, "own", { apiToken: world.simulator.token });
  const spec = { backupID: 7, region: "us-west", credentialsRef: { name: "own" } };
  await createMachine(world, "node", { cluster: "prod", spec });
  await world.until(async () => readyOf(await getMachine(world, "node"))?.reason === "Unsupported");
  expect(readyOf(await getMachine(world, "node"))?.message).toMatch(
    /spec\.backupID: the region us-west has no metadata service.+set spec\.image to an image instead/,
  );
  expect(world.simulator.state.instances).toEqual([]);
});

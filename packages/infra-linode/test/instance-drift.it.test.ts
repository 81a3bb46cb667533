import { expect, it } from "vitest";
import {
  createCluster,
  createMachine,
  getCluster,
  getMachine,
  reportInfrastructure,
  startWorld,
} from "./management.ts";
import { only } from "@capstan/sim-linode/testing";

it("kernel, network helper, boot disk and firewall of a running instance are kept as its machine says", async () => {
  await using world = await startWorld();
  const { client, simulator } = world;
  const rules = { inbound: [], outbound: [], inbound_policy: "DROP", outbound_policy: "ACCEPT" } as const;
  const firewall = await client.firewalls.create({ label: "wall", rules });
  await createCluster(world, "prod");
  await world.until(async () => (await getCluster(world, "prod"))?.status?.initialization?.provisioned === true);
  await reportInfrastructure(world, "prod");
  const spec = {
    configuration: { kernel: "linode/direct-disk" },
    firewallID: firewall.id,
    networkHelper: false,
    osDisk: { size: "20Gi", label: "root" },
  };
  await createMachine(world, "node", { cluster: "prod", spec });
  await world.until(async () => (await getMachine(world, "node"))?.status?.initialization?.provisioned === true);
  const instance = only(simulator.state.instances);
  const config = only(instance.configs);
  const os = instance.disks.find(({ id }) => id === config.devices.sda?.disk_id);
  const guarded = () => only(simulator.state.firewalls).devices.map(({ entityId }) => entityId);
  expect([os?.label, config.kernel, config.helpers["network"]]).toEqual(["root", "linode/direct-disk", false]);

  await client.instances.updateConfig(instance.id, config.id, { kernel: "linode/grub2", helpers: { network: true } });
  await client.instances.updateDisk(instance.id, os?.id ?? 0, { label: "mine" });
  await client.instances.updateFirewalls(instance.id, { firewall_ids: [] });
  await world.until(() => os?.label === "root" && config.kernel === "linode/direct-disk" && guarded().length === 1);
  expect(config.helpers["network"]).toBe(false);
  expect(instance.status).toBe("running");
  const { writes } = simulator.requests;
  await world.pass(700_000);
  expect(simulator.requests.writes).toBe(writes);
  expect(simulator.requests.violations).toEqual([]);
});

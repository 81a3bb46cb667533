import { expect, it } from "vitest";
import { LinodeMachine } from "../src/api.ts";
import {
  createCluster,
  createMachine,
  getCluster,
  getMachine,
  patchSpec,
  reportInfrastructure,
  startWorld,
} from "./management.ts";

it("keeps the Linode interfaces behind their firewalls, those in VLANs behind none", async () => {
  await using world = await startWorld();
  const { client } = world;
  const rules = { inbound: [], outbound: [], inbound_policy: "DROP", outbound_policy: "ACCEPT" } as const;
  const [first, second, own] = await Promise.all(
    ["first", "second", "own"].map(async (label) => (await client.firewalls.create({ label, rules })).id),
  );
  await createCluster(world, "prod");
  await world.until(async () => (await getCluster(world, "prod"))?.status?.ready === true);
  await reportInfrastructure(world, "prod");
  const vlan = { vlanLabel: "back", ipamAddress: "10.1.0.1/24" };
  const linodeInterfaces = [{ public: {} }, { vlan }];
  await createMachine(world, "node", { cluster: "prod", spec: { linodeInterfaces, firewallID: first! } });
  const fixed = [{ public: {}, firewallID: own! }];
  await createMachine(world, "fixed", { cluster: "prod", spec: { linodeInterfaces: fixed, firewallID: first! } });
  for (const name of ["node", "fixed"]) {
    await world.until(async () => (await getMachine(world, name))?.status?.ready === true);
  }
  const firewalls = async (name = "node"): Promise<readonly (readonly number[])[]> => {
    const { id } = world.simulator.state.instances.find(({ label }) => label === name)!;
    const found = await client.instances.listInterfaces(id);
    return Promise.all(
      found.map(async (each) => (await client.instances.listInterfaceFirewalls(id, each.id)).map((wall) => wall.id)),
    );
  };
  const become = (expected: readonly (readonly (number | undefined)[])[]) =>
    world.until(async () => JSON.stringify(await firewalls()) === JSON.stringify(expected));
  await become([[first], []]);
  await patchSpec(world, LinodeMachine, "node", { firewallID: second });
  await become([[second], []]);
  await patchSpec(world, LinodeMachine, "node", { firewallID: 0 });
  await become([[], []]);
  await patchSpec(world, LinodeMachine, "node", { firewallID: first });
  await become([[first], []]);
  expect(await firewalls("fixed")).toEqual([[own]]);
  const [device] = await client.firewalls.listDevices(first!);
  await client.firewalls.deleteDevice(first!, device!.id);
  await become([[first], []]);
  const writes = world.simulator.requests.writes;
  await world.pass(300_000);
  expect(world.simulator.requests.writes).toBe(writes);
  expect(world.simulator.requests.violations).toEqual([]);
});

import { expect, it } from "vitest";
import { reasonOf, simulate, smallInstance } from "../src/testing.ts";

it("keeps reserved addresses for instances to come, and after they are gone", async () => {
  await using simulation = await simulate();
  const { client, clock } = simulation;
  const { instances, networking } = client;
  const { address, linode_id } = await networking.reserveIp({ region: "us-ord" });
  expect(linode_id).toBeNull();
  const elsewhere = await networking.reserveIp({ region: "us-sea" });
  const create = (label: string, ipv4: readonly string[]) => instances.create({ ...smallInstance, label, ipv4 });
  expect(await reasonOf(create("far", [elsewhere.address]))).toContain("[ipv4.0]");
  expect(await reasonOf(create("twice", [address, address]))).toContain("[ipv4.1]");
  const { id, ipv4 } = await create("node-1", [address]);
  expect(ipv4).toContain(address);
  expect(await reasonOf(create("late", [address]))).toContain("that no Linode has");
  expect((await instances.addresses(id)).ipv4.reserved.map((each) => each.address)).toEqual([address]);
  expect(await networking.getReservedIp(address)).toMatchObject({ linode_id: id, reserved: true });
  await clock.advance(200);
  await instances.delete(id);
  await clock.advance(200);
  expect((await networking.listReservedIps()).map((each) => [each.address, each.linode_id])).toEqual([
    [address, null],
    [elsewhere.address, null],
  ]);
  await networking.deleteReservedIp(address);
  expect(await reasonOf(networking.getIp(address))).toContain("[404]");
});

it("hands reserved addresses to instances that are there, and lets them go", async () => {
  await using simulation = await simulate();
  const { instances, networking } = simulation.client;
  const { id } = await instances.create(smallInstance);
  const kept = await networking.allocateIp({ type: "ipv4", public: true, reserved: true, region: "us-ord" });
  const added = { type: "ipv4", public: true, address: kept.address } as const;
  expect(await instances.addAddress(id, added)).toMatchObject({ address: kept.address, reserved: true });
  expect(await reasonOf(instances.addAddress(id, added))).toContain("[address]");
  await networking.updateIp(kept.address, { reserved: false });
  expect(await networking.getIp(kept.address)).toMatchObject({ linode_id: id, reserved: false });
  const both = await networking.allocateIp({ type: "ipv4", public: true, reserved: true, linode_id: id });
  await instances.deleteAddress(id, both.address);
  expect(await networking.getIp(both.address)).toMatchObject({ linode_id: null, reserved: true });
  await networking.assignIps({ region: "us-ord", assignments: [{ address: both.address, linode_id: id }] });
  expect((await networking.getIp(both.address)).linode_id).toBe(id);
  const nobody = networking.allocateIp({ type: "ipv4", public: true });
  expect(await reasonOf(nobody)).toContain("[linode_id]");
});

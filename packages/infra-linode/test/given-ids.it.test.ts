import type { Resource } from "@capstan/schema";
import { expect, it } from "vitest";
import { LinodeCluster, LinodeFirewall, LinodeVPC } from "../src/api.ts";
import {
  createCluster,
  createObject,
  getCluster,
  getObject,
  isReady,
  namespace,
  patchSpec,
  readyOf,
  startWorld,
} from "./management.ts";
import type { World } from "./management.ts";
import { only } from "@capstan/sim-linode/testing";

const mend = "correct the id, or leave it out to have one made";

const made = ({ simulator: { state } }: World): number =>
  [state.vpcs, state.firewalls, state.nodeBalancers].flat().length;

it.each<[field: string, kind: Resource, spec: Readonly<Record<string, unknown>>, noun: string]>([
  ["vpcID", LinodeVPC, { region: "us-ord" }, "VPC"],
  ["firewallID", LinodeFirewall, { enabled: true }, "firewall"],
])("makes nothing for %s that there is not, and goes on once it is mended", async (field, kind, spec, noun) => {
  await using world = await startWorld();
  await createObject(world, kind, "mine", { ...spec, [field]: 99 });
  await world.until(async () => readyOf(await getObject(world, kind, "mine"))?.reason === "LinodeNotFound");
  expect(readyOf(await getObject(world, kind, "mine"))).toMatchObject({
    status: "False",
    message: `${kind.kind} default/mine: spec.${field}: there is no ${noun} 99 in the account; ${mend}`,
  });
  await world.pass(700_000);
  expect([made(world), world.simulator.requests.writes]).toEqual([0, 0]);
  await patchSpec(world, kind, "mine", { [field]: null });
  await world.until(() => isReady(world, kind, "mine"));
  expect(made(world)).toBe(1);
  const wasWritten = async () => JSON.stringify((await getObject(world, kind, "mine")) ?? {});
  // What the controller has made and recorded is recreated when someone deletes it.
  const { firewalls, vpcs } = world.simulator.state;
  const { id } = only([...vpcs, ...firewalls]);
  await (kind === LinodeVPC ? world.client.vpcs.delete(id) : world.client.firewalls.delete(id));
  await world.until(() => made(world) === 1);
  await world.until(async () => !(await wasWritten()).includes(`"${field}":${id}`));
  await world.until(() => isReady(world, kind, "mine"));
});

it("lets an object go that names what there is not", async () => {
  await using world = await startWorld();
  await createObject(world, LinodeVPC, "mine", { region: "us-ord", vpcID: 99 });
  await world.until(async () => readyOf(await getObject(world, LinodeVPC, "mine"))?.reason === "LinodeNotFound");
  await world.api.delete(LinodeVPC, { namespace, name: "mine" });
  await world.until(async () => (await getObject(world, LinodeVPC, "mine")) === undefined);
});

it("makes no NodeBalancer in the place of one that there is not", async () => {
  await using world = await startWorld();
  const network = { nodeBalancerID: 99 } as NonNullable<LinodeCluster["spec"]["network"]>;
  await createCluster(world, "prod", { network });
  await world.until(async () => readyOf(await getCluster(world, "prod"))?.reason === "LinodeNotFound");
  expect(readyOf(await getCluster(world, "prod"))?.message).toBe(
    `LinodeCluster default/prod: spec.network.nodeBalancerID: there is no NodeBalancer 99 in the account; ${mend}`,
  );
  expect(made(world)).toBe(0);
  const { id } = await world.client.nodeBalancers.create({ region: "us-ord", label: "theirs" });
  await patchSpec(world, LinodeCluster, "prod", { network: { nodeBalancerID: id } });
  await world.until(async () => (await getCluster(world, "prod"))?.status?.ready === true);
  expect(made(world)).toBe(1);
});

import { apiVersionOf } from "@capstan/schema";
import type { Resource } from "@capstan/schema";
import { expect, it } from "vitest";
import { LinodeFirewall, LinodeVPC } from "../src/api.ts";
import type { LinodeCluster, LinodeMachine } from "../src/api.ts";
import {
  createCluster,
  createMachine,
  createNamespace,
  getCluster,
  getMachine,
  patchSpec,
  readyOf,
  reportInfrastructure,
  startWorld,
  trustIds,
} from "./management.ts";
import type { World } from "./management.ts";
import { LinodeMachine as Machine } from "../src/api.ts";
import { only } from "./simulation.ts";

const region = "us-ord";
const other = "blue";

const createThere = async (world: World, kind: Resource, spec: object): Promise<void> => {
  const key = { namespace: other, name: "theirs" };
  await world.api.create(kind, { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: key, spec });
  const isReady = async () =>
    readyOf((await world.api.find(kind, key)) as Parameters<typeof readyOf>[0])?.status === "True";
  await world.until(isReady);
};

interface Theirs {
  readonly vpc: number;
  readonly subnet: number;
  readonly firewall: number;
}

/** A world in which another namespace has a VPC and a firewall. */
const start = async (): Promise<{ readonly world: World; readonly theirs: Theirs }> => {
  const world = await startWorld();
  await createNamespace(world, other);
  await createThere(world, LinodeVPC, { region, subnets: [{ label: "default", ipv4: "10.0.0.0/24" }] });
  await createThere(world, LinodeFirewall, { enabled: true });
  const { firewalls, vpcs } = world.simulator.state;
  const [vpc, firewall] = [only(vpcs), only(firewalls)];
  return { world, theirs: { vpc: vpc.id, subnet: only(vpc.subnets).id, firewall: firewall.id } };
};

const provision = async (world: World): Promise<void> => {
  await createCluster(world, "prod", {});
  await world.until(async () => (await getCluster(world, "prod"))?.status?.ready === true);
  await reportInfrastructure(world, "prod");
};

it.each<[field: string, spec: (theirs: Theirs) => Partial<LinodeMachine["spec"]>]>([
  ["spec.vpcID", ({ vpc }) => ({ vpcID: vpc })],
  ["spec.firewallID", ({ firewall }) => ({ firewallID: firewall })],
  ["spec.interfaces[0].subnetId", ({ subnet }) => ({ interfaces: [{ purpose: "vpc", subnetId: subnet }] })],
])("an instance joins by %s nothing of another namespace", async (field, spec) => {
  const { theirs, world } = await start();
  await using _ = world;
  await provision(world);
  await createMachine(world, "mine", { cluster: "prod", spec: spec(theirs) });
  await world.until(async () => readyOf(await getMachine(world, "mine"))?.reason === "OwnedByAnother");
  const { message } = readyOf(await getMachine(world, "mine")) ?? {};
  expect(message).toContain(`${field}: `);
  expect(message).not.toContain(other);
  expect(world.simulator.state.instances).toEqual([]);
  await trustIds(world);
  await world.until(() => world.simulator.state.instances.length === 1);
});

it("an instance that runs is not put behind a firewall of another namespace", async () => {
  const { theirs, world } = await start();
  await using _ = world;
  await provision(world);
  await createMachine(world, "mine", { cluster: "prod" });
  await world.until(async () => (await getMachine(world, "mine"))?.status?.ready === true);
  await patchSpec(world, Machine, "mine", { firewallID: theirs.firewall });
  await world.until(async () =>
    (readyOf(await getMachine(world, "mine"))?.message ?? "").includes("spec.firewallID: firewall"),
  );
  expect(only(world.simulator.state.firewalls).devices).toEqual([]);
});

it("a NodeBalancer is not put behind a firewall of another namespace", async () => {
  const { theirs, world } = await start();
  await using _ = world;
  const network = { nodeBalancerFirewallID: theirs.firewall } as NonNullable<LinodeCluster["spec"]["network"]>;
  await createCluster(world, "prod", { network });
  await world.until(async () => readyOf(await getCluster(world, "prod"))?.reason === "OwnedByAnother");
  expect(only(world.simulator.state.firewalls).devices).toEqual([]);
  expect(world.simulator.state.nodeBalancers).toEqual([]);
});

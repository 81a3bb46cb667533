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

const machines = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `node-${index}`);

const bringUp = async (world: World, names: readonly string[]): Promise<void> => {
  await createCluster(world, "prod");
  await world.until(async () => (await getCluster(world, "prod"))?.status?.initialization?.provisioned === true);
  await reportInfrastructure(world, "prod");
  for (const name of names) await createMachine(world, name, { cluster: "prod" });
  await world.until(
    () => world.simulator.state.instances.filter(({ status }) => status === "running").length === names.length,
  );
  await world.until(async () => {
    const found = await Promise.all(names.map((name) => getMachine(world, name)));
    return found.every((machine) => machine?.status?.initialization?.provisioned === true);
  });
};

it("a token's budget is never overdrawn, however many machines want to be made", async () => {
  const rateLimits = [{ family: "POST linode/instances", limit: 3, windowMs: 15_000 }];
  await using world = await startWorld({ simulator: { rateLimits } });
  const { requests, state } = world.simulator;
  const statuses = new Set<number | undefined>();
  requests.subscribe(({ status }) => statuses.add(status));
  await bringUp(world, machines(12));
  expect(state.instances).toHaveLength(12);
  expect(requests.count("POST linode/instances")).toBe(12);
  expect(statuses).not.toContain(429);
  for (const name of machines(12)) expect(readyOf(await getMachine(world, name))?.status).toBe("True");
});

it("machines that are as they should be cost one list a minute and nothing else", async () => {
  await using world = await startWorld();
  await bringUp(world, machines(10));
  await world.pass(120_000);
  const { requests } = world.simulator;
  const before = requests.log.length;
  await world.pass(600_000);
  const after = requests.log.slice(before);
  expect(new Set(after.map(({ family }) => family))).toEqual(
    new Set([
      "GET linode/instances",
      "GET nodebalancers/*",
      "GET nodebalancers/*/configs",
      "GET nodebalancers/*/configs/*/nodes",
    ]),
  );
  const lists = after.filter(({ family }) => family === "GET linode/instances").length;
  expect(lists).toBeGreaterThanOrEqual(9);
  expect(lists).toBeLessThanOrEqual(11);
  expect(after.length - lists).toBeLessThanOrEqual(6);
});

import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { LinodeCluster, LinodeMachine } from "../src/api.ts";
import type { FaultAction } from "@capstan/sim-linode";
import {
  createCluster,
  createMachine,
  createStoreSecret,
  getCluster,
  getMachine,
  namespace,
  reportInfrastructure,
  startWorld,
} from "./management.ts";
import type { World } from "./management.ts";
import { only } from "@capstan/sim-linode/testing";

/** Larger than user data may be, so that the object store takes part. */
const data = `#cloud-config\n#${randomBytes(20_000).toString("hex")}`;

const provisioned = async (world: World, name: string): Promise<boolean> =>
  (await getMachine(world, name))?.status?.initialization?.provisioned === true;

/** One cluster with one control-plane machine, from nothing to ready. Names differ so that runs cannot help one another. */
const bringUp = async (world: World, name: string): Promise<void> => {
  await createCluster(world, name, { objectStore: { credentialsRef: { name: "store" } } });
  await createMachine(world, `${name}-cp`, { cluster: name, controlPlane: true, data });
  await world.until(async () => (await getCluster(world, name))?.status?.initialization?.provisioned === true);
  await reportInfrastructure(world, name);
  await world.until(() => provisioned(world, `${name}-cp`));
  await world.until(() => world.simulator.state.nodeBalancers[0]?.configs[0]?.nodes.length === 1);
};

const takeDown = async (world: World, name: string): Promise<void> => {
  await world.api.delete(LinodeMachine, { namespace, name: `${name}-cp` });
  await world.api.delete(LinodeCluster, { namespace, name });
  // After a crash it takes minutes until nothing can come of a request that no one knows the answer of.
  const isGone = async (): Promise<boolean> =>
    (await getCluster(world, name)) === undefined && (await getMachine(world, `${name}-cp`)) === undefined;
  await world.clock.advanceUntil(isGone, { stepMs: 1000, maxMs: 3_600_000 });
};

/** Exactly one of everything, and all of it the cluster's own. */
const expectOneOfEach = async (world: World, name: string): Promise<void> => {
  const { state } = world.simulator;
  const machine = await getMachine(world, `${name}-cp`);
  const instance = only(state.instances);
  expect(machine?.spec.providerID).toBe(`linode://${instance.id}`);
  const balancer = only(state.nodeBalancers);
  expect((await getCluster(world, name))?.spec.controlPlaneEndpoint?.host).toBe(balancer.ipv4);
  expect(only(only(balancer.configs).nodes).address).toBe(`${instance.address}:6443`);
  expect(only(state.objects["bootstrap"] ?? []).key).toBe(machine?.metadata.uid);
};

const expectNothing = ({ simulator }: World): void => {
  const { instances, nodeBalancers, objects } = simulator.state;
  expect([instances, nodeBalancers, objects["bootstrap"] ?? []]).toEqual([[], [], []]);
};

/** Calls `act` as the n-th call to the cloud is done. */
const atCall = ({ simulator }: World, n: number, act: () => void): { readonly seen: () => number; stop(): void } => {
  let seen = 0;
  const count = (): void => {
    seen += 1;
    if (seen === n) act();
  };
  const stops = [simulator.requests.subscribe(count), simulator.objectStorage.requests.subscribe(count)];
  return {
    seen: () => seen,
    stop: () => {
      for (const stop of stops) stop();
    },
  };
};

/** Quick, so that little virtual time passes in each of the many runs. */
const startedWorld = async (): Promise<World> => {
  const delays = { provisionMs: 50, bootMs: 50, deleteMs: 50 };
  const world = await startWorld({ provider: { pollMs: 250 }, simulator: { rateLimits: [], delays } });
  await createStoreSecret(world, "store");
  return world;
};

/** Does something, and ends the controllers and starts them again as the n-th call to the cloud is done. Returns how many calls there were. */
const crashAt = async (world: World, n: number, act: () => Promise<void>): Promise<number> => {
  let restarted: Promise<void> | undefined;
  const restart = async (): Promise<void> => {
    await world.kill();
    await world.startControllers();
  };
  const calls = atCall(world, n, () => {
    restarted = restart();
  });
  await act();
  calls.stop();
  await restarted;
  return calls.seen();
};

export interface CrashOptions {
  /** One of so many calls is taken, from the first on. */
  readonly every: number;
}

/** The controllers crash between two calls to the cloud, while a cluster is made and while it is deleted. */
export const testCrashes = ({ every }: CrashOptions): void => {
  it("leaves exactly one instance, one NodeBalancer and one object, and later nothing", async () => {
    await using world = await startedWorld();
    const making = await crashAt(world, Infinity, () => bringUp(world, "crash-0"));
    const deleting = await crashAt(world, Infinity, () => takeDown(world, "crash-0"));
    expect(making).toBeGreaterThan(15);
    expect(deleting).toBeGreaterThan(3);
    for (let n = 1; n <= Math.max(making, deleting); n += every) {
      const name = `crash-${n}`;
      await crashAt(world, n, () => bringUp(world, name));
      await expectOneOfEach(world, name);
      await crashAt(world, n, () => takeDown(world, name));
      expectNothing(world);
    }
    expect(world.simulator.requests.violations).toEqual([]);
  });
};

/** A call to the cloud, and one to the object storage, fails while a cluster is made. */
export const testFaults = ({ every }: CrashOptions): void => {
  const actions: readonly FaultAction[] = [
    { kind: "lost-answer" },
    { kind: "reset" },
    { kind: "other-answer", body: '{"id":"abc"}' },
  ];
  it.each(actions)("%j leaves one of each", async (action) => {
    await using world = await startedWorld();
    const { faults, objectStorage } = world.simulator;
    for (let n = 1; ; n += every) {
      faults.add({ nth: n, action });
      await bringUp(world, `fault-${n}`);
      const happened = faults.pending().length === 0;
      faults.clear();
      await expectOneOfEach(world, `fault-${n}`);
      await takeDown(world, `fault-${n}`);
      expectNothing(world);
      if (!happened) break;
    }
    for (const n of [1, 2]) {
      objectStorage.faults.add({ nth: n, action });
      await bringUp(world, `store-${n}`);
      objectStorage.faults.clear();
      await expectOneOfEach(world, `store-${n}`);
      await takeDown(world, `store-${n}`);
    }
    expect(world.simulator.requests.violations).toEqual([]);
  });
};

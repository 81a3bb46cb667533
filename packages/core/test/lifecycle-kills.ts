import { MemoryMachine } from "@capstan/testing/infra-memory";
import { expect, it } from "vitest";
import { Machine, MachineSet } from "../src/api.ts";
import type { Doom } from "./faults.ts";
import { killAt } from "./faults.ts";
import type { LifecycleWorld } from "./lifecycle-world.ts";
import { livingKinds, startLifecycleWorld } from "./lifecycle-world.ts";
import { providerKinds } from "./provider-kinds.ts";

/** A change by the user, and how the world looks once it is fulfilled. */
interface Phase {
  readonly name: string;
  readonly act: (given: LifecycleWorld) => Promise<unknown>;
  readonly isDone: (given: LifecycleWorld) => Promise<boolean>;
  /** Holds at every moment on the way. */
  readonly always?: (given: LifecycleWorld) => Promise<void>;
  /** No one dies in it: another cycle has the same phase. Default false. */
  readonly spared?: boolean;
  /** Holds once all has come to rest. */
  readonly ended: (given: LifecycleWorld) => Promise<void>;
}

/** Phases of which the first can follow the last. `round` counts from 1. */
interface Cycle {
  /** Workers there are before the first round; `undefined`: nothing is there, not even a cluster. */
  readonly workers?: number;
  readonly phases: (round: number) => readonly Phase[];
}

const never = Number.POSITIVE_INFINITY;

/** Real time that ends what hangs: an exhaustive test takes minutes on quiet cores. */
const timeoutMs = { sample: 600_000, exhaustive: 2_400_000 } as const;

const hasWorkers = (replicas: number, version?: string) => async (given: LifecycleWorld) => {
  const [md, workers, sets] = await Promise.all([given.deployment(), given.workers(), given.sets()]);
  return (
    sets.length === 1 &&
    workers.length === replicas &&
    workers.every(({ spec }) => version === undefined || spec.version === version) &&
    md?.status?.observedGeneration === md?.metadata.generation &&
    md?.status?.availableReplicas === replicas &&
    md.status.upToDateReplicas === replicas
  );
};

/** One of everything for every Machine, in the management API, in the cloud and in the workload cluster, and nothing besides. */
const hasOneOfEach = (replicas: number) => async (given: LifecycleWorld) => {
  const machines = await given.names(Machine);
  const workers = machines.filter((name) => name !== "cp");
  expect(workers).toHaveLength(replicas);
  expect(await given.names(MemoryMachine)).toEqual(machines);
  expect(await given.names(providerKinds.config.resource)).toEqual(workers);
  expect(given.servers()).toEqual(machines);
  expect(given.cloud.loadBalancers.size).toBe(1);
  expect(await given.nodes()).toEqual(machines.map((name) => `node-${name}`));
  expect(await given.pods()).toEqual(machines.map((name) => `app-node-${name}`));
  expect(await given.sets()).toHaveLength(1);
};

/** Its Node is there, whatever a controller that has just started knows of it. */
const isServing = ({ metadata, status }: Machine): boolean =>
  metadata.deletionTimestamp === undefined && status?.nodeRef !== undefined;

const staysWithin = (least: number, most: number) => async (given: LifecycleWorld) => {
  const workers = await given.workers();
  expect(workers.length).toBeLessThanOrEqual(most);
  expect(workers.filter(isServing).length).toBeGreaterThanOrEqual(least);
};

const create = (replicas: number): Phase => ({
  name: "create a cluster",
  act: async (given) => {
    await given.forgetNodes();
    await given.create(replicas);
  },
  isDone: hasWorkers(replicas),
  always: staysWithin(0, replicas),
  ended: hasOneOfEach(replicas),
});

const scale = (from: number, to: number): Phase => ({
  name: `scale from ${from} to ${to}`,
  act: (given) => given.change({ replicas: to }),
  isDone: hasWorkers(to),
  always: staysWithin(Math.min(from, to), Math.max(from, to)),
  ended: hasOneOfEach(to),
});

const rollOut = (replicas: number, version: string): Phase => ({
  name: `roll out ${version}`,
  act: (given) => given.change({ template: { spec: { version } } }),
  isDone: hasWorkers(replicas, version),
  always: staysWithin(replicas, replicas + 1),
  ended: hasOneOfEach(replicas),
});

const deleteDeployment: Phase = {
  name: "delete the deployment",
  act: (given) => given.deleteDeployment(),
  isDone: async (given) => (await given.deployment()) === undefined,
  ended: async (given) => {
    for (const kind of [Machine, MemoryMachine]) expect(await given.names(kind)).toEqual(["cp"]);
    for (const kind of [MachineSet, providerKinds.config.resource]) expect(await given.names(kind)).toEqual([]);
    expect(given.servers()).toEqual(["cp"]);
    expect(await given.nodes()).toEqual(["node-cp"]);
    expect(await given.pods()).toEqual(["app-node-cp"]);
  },
};

const deleteCluster: Phase = {
  name: "delete the cluster",
  act: (given) => given.deleteCluster(),
  isDone: async (given) => (await given.cluster()) === undefined,
  ended: async (given) => {
    for (const kind of livingKinds) expect(await given.names(kind)).toEqual([]);
    expect([...given.servers(), ...given.cloud.loadBalancers.keys()]).toEqual([]);
  },
};

const cycles = {
  "creates and deletes": { phases: () => [create(1), deleteDeployment, deleteCluster] },
  "creates and deletes with its workers": { phases: () => [{ ...create(1), spared: true }, deleteCluster] },
  scales: { workers: 1, phases: () => [scale(1, 3), scale(3, 1)] },
  "rolls out": { workers: 2, phases: (round) => [rollOut(2, `v1.34.${round}`)] },
} satisfies Readonly<Record<string, Cycle>>;

interface Death {
  /** The call, counted from 1. */
  readonly at: number;
  /** The processes that are started afterwards die too, each at that call of its own. Default false. */
  readonly again?: boolean;
}

/** Plays a phase to its end with a process that dies at one of its calls and is then started again. Returns what became of the first. */
const play = async (given: LifecycleWorld, phase: Phase, { at, again = false }: Death): Promise<Doom> => {
  const { world } = given;
  const until = (isEnough: () => Promise<boolean>): Promise<void> =>
    world.until(async () => {
      await given.serve();
      await phase.always?.(given);
      return isEnough();
    });
  const first = killAt(world, at);
  let doom = first;
  try {
    await phase.act(given);
    for (;;) {
      await until(async () => doom.dead || phase.isDone(given));
      if (!doom.dead) await world.settle();
      if (!doom.dead) break;
      // What it has sent is done: otherwise processes that send several writes at once would never come further.
      await world.until(() => world.running === 0);
      await world.kill();
      doom = killAt(world, again ? at : never);
      let isUp = false;
      const start = async (): Promise<void> => {
        await world.restart();
        isUp = true;
      };
      // One that dies before it is up never gets there.
      void start().catch(() => undefined);
      await until(async () => doom.dead || isUp);
    }
    await phase.ended(given);
  } catch (cause) {
    const moment = first.dead ? `killed at call ${at} (${first.last})` : "not killed";
    throw new Error(`${phase.name}, ${moment}: ${(cause as Error).message}`, { cause });
  }
  return first;
};

/**
 * A test that goes through a cycle again and again, with a process that dies once in every phase: at its first call, then at the one
 * `every` calls later, and so on. It ends with a round in which no phase had such a call any more.
 *
 * Calls are those that write. A process that dies at a read, or before a write, leaves what one leaves that died at the write
 * before; Events are told on the side and decide nothing.
 */
export const testKills = (name: keyof typeof cycles, { every }: { readonly every: number }): void => {
  const calls = every === 1 ? "every call" : `every ${every}th call`;
  const timeout = every === 1 ? timeoutMs.exhaustive : timeoutMs.sample;
  it(`${name}, although it dies at ${calls}`, { timeout }, async () => {
    const cycle: Cycle = cycles[name];
    const given = await startLifecycleWorld();
    try {
      if (cycle.workers !== undefined) await play(given, create(cycle.workers), { at: never });
      let died = true;
      for (let round = 1; died; round += 1) {
        died = false;
        for (const phase of cycle.phases(round)) {
          const doom = await play(given, phase, { at: phase.spared === true ? never : 1 + (round - 1) * every });
          died ||= doom.dead;
        }
      }
    } finally {
      await given.world.stop();
    }
  });
};

/**
 * A test that goes through a whole life, with up to so many workers, with processes that each die at the same one of their calls, so that
 * each does that much.
 */
export const testShortLives = ({ calls, workers }: { readonly calls: number; readonly workers: number }): void => {
  it(
    `lives through everything, although every process dies at its call number ${calls}`,
    { timeout: timeoutMs.exhaustive },
    async () => {
      const given = await startLifecycleWorld();
      const grown = [create(1), scale(1, workers), scale(workers, 1)];
      const phases = [...grown, rollOut(1, "v1.34.0"), deleteDeployment, deleteCluster];
      try {
        for (const phase of phases) await play(given, phase, { at: calls, again: true });
      } finally {
        await given.world.stop();
      }
    },
  );
};

import { isCapstanError } from "@capstan/contract";
import { expect, it } from "vitest";
import { Machine, MachinePool } from "../src/api.ts";
import { killAt, mend } from "./faults.ts";
import { key } from "./hand-provider.ts";
import type { PoolWorld } from "./pool-world.ts";
import { startPoolWorld } from "./pool-world.ts";
import { providerKinds } from "./provider-kinds.ts";
import { set } from "./world.ts";

const timeoutMs = { sample: 600_000, exhaustive: 2_400_000 } as const;

const hasReady = (given: PoolWorld, count: number) => async (): Promise<boolean> => {
  const { metadata, status } = await given.pool();
  return (
    status?.readyReplicas === count &&
    status.replicas === count &&
    (status.nodeRefs ?? []).length === count &&
    status.observedGeneration === metadata.generation &&
    (await given.names(Machine)).length === count
  );
};

const isGone = (given: PoolWorld) => async (): Promise<boolean> =>
  (await given.world.api.find(MachinePool, key("pool"))) === undefined;

/** Goes on until the process has died or the end is reached; then to the end with a new one. Whether it died. */
const throughDeath = async (
  given: PoolWorld,
  write: number,
  { act, isDone }: { readonly act: () => Promise<unknown>; readonly isDone: () => Promise<boolean> },
): Promise<boolean> => {
  const until = (condition: () => Promise<boolean>): Promise<void> =>
    given.world.until(async () => {
      await given.serve();
      return condition();
    });
  const doom = killAt(given.world, write);
  await act();
  await until(async () => doom.dead || (await isDone()));
  mend(given.world);
  if (!doom.dead) return false;
  await given.world.restart();
  await until(isDone);
  return true;
};

/** One Machine for every machine, and nothing besides. */
const hasOneOfEach = async (given: PoolWorld, count: number): Promise<void> => {
  const machines = await given.names(Machine);
  expect(machines).toHaveLength(count);
  expect(await given.names(providerKinds.machine.resource)).toEqual(machines);
};

/**
 * A test that makes, scales and deletes a pool again and again, with a process that dies once in each phase: at its first write, then at
 * the one `every` writes later, and so on, until no phase has such a write any more.
 */
export const testPoolKills = ({ every }: { readonly every: number }): void => {
  const timeout = every === 1 ? timeoutMs.exhaustive : timeoutMs.sample;
  it(`makes, scales and deletes a pool, although it dies at every ${every}th write`, { timeout }, async () => {
    const given = await startPoolWorld({ machines: true });
    const scale = async (replicas: number): Promise<void> => {
      await set(given.world, MachinePool, await given.pool(), { spec: { replicas } });
    };
    const remove = async (): Promise<void> => {
      await given.world.api.delete(MachinePool, key("pool")).catch((error: unknown) => {
        if (!isCapstanError(error, "kube.not_found")) throw error;
      });
    };
    try {
      let died = true;
      for (let write = 1; died; write += every) {
        const made = await throughDeath(given, write, { act: () => given.create(1), isDone: hasReady(given, 1) });
        await hasOneOfEach(given, 1);
        const grown = await throughDeath(given, write, { act: () => scale(3), isDone: hasReady(given, 3) });
        await hasOneOfEach(given, 3);
        const gone = await throughDeath(given, write, { act: remove, isDone: isGone(given) });
        await hasOneOfEach(given, 0);
        expect(await given.nodes()).toEqual([]);
        await given.world.settle();
        died = made || grown || gone;
      }
    } finally {
      await given.world.stop();
    }
  });
};

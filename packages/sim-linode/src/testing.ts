import { createLinodeClient } from "@capstan/linode-client";
import type { CreateInstance, LinodeClient, LinodeError } from "@capstan/linode-client";
import { fakeClock, seededRandom } from "@capstan/testing";
import type { FakeClock } from "@capstan/testing";
import { createLinodeSimulator } from "./index.ts";
import type { LinodeSimulator, LinodeSimulatorOptions } from "./index.ts";

export interface Simulation extends AsyncDisposable {
  readonly simulator: LinodeSimulator;
  readonly client: LinodeClient;
  readonly clock: FakeClock;
}

/** A started simulator on a fake clock, and a client that never retries. */
export const simulate = async (
  options: Partial<Omit<LinodeSimulatorOptions, "clock">> & { readonly clock?: FakeClock } = {},
): Promise<Simulation> => {
  const clock = options.clock ?? fakeClock();
  const simulator = await createLinodeSimulator({ random: seededRandom(1), ...options, clock });
  await simulator.start();
  const { url, token } = simulator;
  const client = createLinodeClient({ url, token, apiVersion: "v4beta", retry: { maxRetries: 0 } });
  return {
    simulator,
    client,
    clock,
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await simulator.stop();
    },
  };
};

export const smallInstance: CreateInstance = {
  region: "us-ord",
  type: "g6-standard-1",
  image: "linode/ubuntu22.04",
  authorized_keys: ["ssh-ed25519 AAAA"],
  label: "node-1",
  booted: false,
  private_ip: true,
};

/** The only item of a list. */
export const only = <T>(items: readonly T[]): T => {
  const [item, ...others] = items;
  if (item === undefined || others.length > 0) throw new Error(`expected one item, not ${items.length}`);
  return item;
};

/** Returns the reason why a call was refused, or `ok`. */
export const reasonOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "ok",
    (error: unknown) => (error as LinodeError).message,
  );

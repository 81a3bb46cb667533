import { createApiServer } from "@capstan/apiserver";
import { connect, createClient, loadKubeconfig, type Client } from "@capstan/kube";
import { recentClock, seededRandom } from "@capstan/testing";
import { takeDown } from "../src/down/take-down.ts";
import { silentView } from "../src/embedded-up.ts";

/** An API server without controllers, and `capstan down` on it. */
export interface DownWorld extends AsyncDisposable {
  readonly client: Client;
  /** Waits for a minute of virtual time; resolves to how much was deleted, or to the message that it fails with. */
  down(): Promise<unknown>;
  /** Lets virtual time pass until the condition holds. */
  until(condition: () => Promise<boolean>): Promise<void>;
}

export const startDownWorld = async (): Promise<DownWorld> => {
  const clock = recentClock();
  const server = createApiServer({ clock, random: seededRandom(1) });
  await server.start();
  const connection = connect({ access: await loadKubeconfig({ text: await server.adminKubeconfig() }), clock });
  const client = createClient(connection);
  const { signal } = new AbortController();
  return {
    client,
    down: async () => {
      let ended = false;
      const work = takeDown({ client, clock, view: silentView, signal }, 60_000)
        .catch((error: unknown) => (error as Error).message)
        .finally(() => (ended = true));
      await clock.advanceUntil(() => ended, { maxMs: 120_000 });
      return work;
    },
    until: (condition) => clock.advanceUntil(condition, { maxMs: 60_000 }),
    [Symbol.asyncDispose]: async () => {
      await connection.close();
      await server.stop();
    },
  };
};

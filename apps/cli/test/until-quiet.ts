import { ConfigMapResource } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import type { FakeClock } from "@capstan/testing";

const quietMs = 30_000;
const patienceMs = 1_200_000;

/**
 * Moves a virtual clock until half a minute of it brings no write to an embedded API server. What time a write takes is told by the
 * processor and the disk: no fixed part of the virtual time is sure to be long enough.
 */
export const untilQuiet = async (clock: FakeClock, client: Client): Promise<void> => {
  // Every list tells the version of the whole store.
  const version = async (): Promise<string | undefined> => (await client.list(ConfigMapResource)).resourceVersion;
  const giveUpAt = clock.now() + patienceMs;
  for (let before = await version(); ;) {
    const until = clock.now() + quietMs;
    await clock.advanceUntil(() => clock.now() >= until, { stepMs: 250, maxMs: quietMs });
    const now = await version();
    if (now === before) return;
    if (clock.now() > giveUpAt) throw new Error(`something is written again and again: version ${now}`);
    before = now;
  }
};

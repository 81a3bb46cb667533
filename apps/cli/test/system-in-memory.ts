import { silentLogger } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { openDataFolder, silentView, simulatedLinode, startSystem } from "../src/embedded-up.ts";

/** `capstan up --in-memory --simulate linode` without files, for tests of what its API takes and refuses. */
export const startInMemory = async (): Promise<{ readonly client: Client; readonly stop: () => Promise<void> }> => {
  const data = openDataFolder("", { temporary: true });
  const environment = {
    clock: systemClock,
    random: cryptoRandom,
    log: silentLogger,
    view: silentView,
    data,
    variables: () => undefined,
  };
  const system = await startSystem({ ...simulatedLinode([]), inMemory: true }, environment);
  return {
    client: system.client,
    stop: async () => {
      await system.stop();
      data.close();
    },
  };
};

import { sayIfOpen } from "../up/check-data-files.ts";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { runCommand } from "../run-command.ts";
import { loggerFor, untilAborted, viewFor } from "../terminal.ts";
import { openDataFolder } from "../up/data-folder.ts";
import type { ApiserverOptions } from "./apiserver-options.ts";
import { startApiserver } from "./start-apiserver.ts";

/** `capstan apiserver`: serves until it is told to stop; resolves to the exit status. With JSON output a failure is an event like the others. */
export const runApiserver = async (options: ApiserverOptions): Promise<number> => {
  const view = viewFor(options.output);
  return runCommand({ failures: { view, output: options.output } }, async (signal) => {
    const data = openDataFolder(options.dataDir, { temporary: options.inMemory });
    sayIfOpen(data, view);
    try {
      const variables = (name: string): string | undefined => process.env[name];
      const environment = { clock: systemClock, random: cryptoRandom, log: loggerFor(options), view, data, variables };
      const server = await startApiserver(options, environment);
      await untilAborted(signal);
      view.say({ type: "stopping", text: "stopping" });
      await server.stop();
      return 0;
    } finally {
      data.close();
    }
  });
};

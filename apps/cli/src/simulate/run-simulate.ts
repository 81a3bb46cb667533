import { cryptoRandom, systemClock } from "@capstan/runtime";
import { runCommand } from "../run-command.ts";
import { loggerFor, untilAborted, viewFor } from "../terminal.ts";
import { defaultDataFolder, openDataFolder } from "../up/data-folder.ts";
import { holdFolder } from "../up/hold-folder.ts";
import type { View } from "../view/view.ts";
import type { SimulateOptions } from "./simulate-command.ts";
import { cloudFolder, startCloud } from "./start-cloud.ts";

/** `capstan simulate`: serves until it is told to stop; resolves to the exit status. With JSON output a failure is an event like the others. */
export const runSimulate = async (options: SimulateOptions): Promise<number> => {
  const view = viewFor(options.output);
  return runCommand({ interrupted: 0, failures: { view, output: options.output } }, async (signal) => {
    await serve(options, view, signal);
    return 0;
  });
};

const serve = async (options: SimulateOptions, view: View, signal: AbortSignal): Promise<void> => {
  const folder = options.dataDir ?? cloudFolder(defaultDataFolder(process.env), options.cloud);
  const data = openDataFolder(folder, { temporary: options.inMemory });
  const cleanups: (() => Promise<void> | void)[] = [() => data.close()];
  try {
    cleanups.push(holdFolder(data));
    const environment = { clock: systemClock, random: cryptoRandom, log: loggerFor(options), view, data, signal };
    await startCloud(options, environment, cleanups);
    await untilAborted(signal);
    view.say({ type: "stopping", text: "stopping" });
  } finally {
    for (const cleanup of cleanups.toReversed()) await cleanup();
  }
};

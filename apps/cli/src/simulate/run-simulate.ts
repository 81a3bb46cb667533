import { sayIfOpen } from "../up/check-data-files.ts";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { runCommand } from "../run-command.ts";
import { loggerFor, untilAborted, viewFor } from "../terminal.ts";
import { defaultDataFolder, openDataFolder } from "../up/data-folder.ts";
import { holdFolder } from "../up/hold-folder.ts";
import type { SimulationEnvironment } from "../up/simulations.ts";
import type { View } from "../view/view.ts";
import type { SimulateOptions } from "./simulate-command.ts";
import { cloudFolder, startCloud } from "./start-cloud.ts";

/** `capstan simulate`: serves until it is told to stop; resolves to the exit status. With JSON output a failure is an event like the others. */
export const runSimulate = async (options: SimulateOptions): Promise<number> => {
  const view = viewFor(options.output);
  const environment = { clock: systemClock, random: cryptoRandom, log: loggerFor(options), view };
  return runCommand({ interrupted: 0, failures: { view, output: options.output } }, async (signal) => {
    await performSimulate(options, { ...environment, signal });
    return 0;
  });
};

/** The command with what it finds outside, until the signal. */
export const performSimulate = async (
  options: SimulateOptions,
  environment: Pick<SimulationEnvironment, "clock" | "random" | "log"> & {
    readonly view: View;
    readonly signal: AbortSignal;
  },
): Promise<void> => {
  const { view, signal } = environment;
  const folder = options.dataDir ?? cloudFolder(defaultDataFolder(process.env), options.cloud);
  const data = openDataFolder(folder, { temporary: options.inMemory });
  sayIfOpen(data, view);
  const cleanups: (() => Promise<void> | void)[] = [() => data.close()];
  try {
    cleanups.push(holdFolder(data));
    await startCloud(options, { ...environment, data }, cleanups);
    await untilAborted(signal);
    view.say({ type: "stopping", text: "stopping" });
  } finally {
    for (const cleanup of cleanups.toReversed()) await cleanup();
  }
};

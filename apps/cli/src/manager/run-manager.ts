import { cryptoRandom, proxyFromEnvironment, systemClock } from "@capstan/runtime";
import { runCommand } from "../run-command.ts";
import { loggerFor, untilAborted, viewFor } from "../terminal.ts";
import { clusterAccess } from "../cluster/cluster-access.ts";
import type { ManagerOptions } from "../cluster/manager-options.ts";
import { checkOptions } from "../modules/declared-options.ts";
import { startManager } from "./start-manager.ts";

/** `capstan manager`: runs until it is told to stop; resolves to the exit status. With JSON output a failure is an event like the others. */
export const runManager = async (options: ManagerOptions): Promise<number> => {
  const view = viewFor(options.output);
  return runCommand({ interrupted: 0, failures: { view, output: options.output } }, async (signal) => {
    for (const note of options.notes ?? []) view.say({ type: "warning", text: note });
    await checkOptions(options.setOptions ?? [], options);
    const started = await startManager(options, {
      clock: systemClock,
      random: cryptoRandom,
      log: loggerFor(options),
      view,
      variables: (name) => process.env[name],
      access: await clusterAccess(options, process.env),
      proxyFor: proxyFromEnvironment(process.env),
      signal,
    });
    try {
      await Promise.race([untilAborted(signal), started.ended]);
      view.say({ type: "stopping", text: "stopping" });
    } finally {
      await started.stop();
    }
    return 0;
  });
};

import { connect, createClient } from "@capstan/kube";
import { systemClock } from "@capstan/runtime";
import { clusterAccess } from "../cluster/cluster-access.ts";
import { patientConnection } from "../cluster/patient-connection.ts";
import { runCommand } from "../run-command.ts";
import { viewFor } from "../terminal.ts";
import { planUninstallation } from "./plan-uninstallation.ts";
import { takeAway } from "./take-away.ts";
import type { UninstallOptions } from "./uninstall-command.ts";

/** `capstan uninstall`: resolves to the exit status. */
export const runUninstall = async (options: UninstallOptions): Promise<number> => {
  const view = viewFor(options.output);
  return runCommand({ interrupted: 130, failures: { view, output: options.output } }, async (signal) => {
    const connection = connect({ access: await clusterAccess(options, process.env), clock: systemClock });
    try {
      const client = createClient(patientConnection(connection, view));
      const plan = await planUninstallation(client, options, signal);
      await takeAway(client, plan, { ...options, view, signal });
      return 0;
    } finally {
      await connection.close();
    }
  });
};

import { connect, createClient } from "@capstan/kube";
import { systemClock } from "@capstan/runtime";
import { clusterAccess } from "../cluster/cluster-access.ts";
import { patientConnection } from "../cluster/patient-connection.ts";
import { runCommand } from "../run-command.ts";
import { viewFor } from "../terminal.ts";
import { rotateAuthority } from "./rotate-authority.ts";
import type { RotateOptions } from "./rotate-command.ts";

/** `capstan rotate-webhook-authority`: resolves to the exit status. */
export const runRotate = async (options: RotateOptions): Promise<number> => {
  const view = viewFor(options.output);
  return runCommand({ interrupted: 130, failures: { view, output: options.output } }, async (signal) => {
    const clock = systemClock;
    const connection = connect({ access: await clusterAccess(options, process.env), clock });
    try {
      const client = createClient(patientConnection(connection, view));
      await rotateAuthority(client, { ...options, clock, view, signal });
      return 0;
    } finally {
      await connection.close();
    }
  });
};

import { systemClock } from "@capstan/runtime";
import { connect, createClient } from "@capstan/kube";
import { clusterAccess } from "../manager/cluster-access.ts";
import { createProviders } from "../providers/known-providers.ts";
import { interruption, viewFor } from "../terminal.ts";
import { applyInstallation } from "./apply-installation.ts";
import type { InstallCommandOptions } from "./install-command.ts";
import { manifestText, printedManifests } from "./manifests.ts";

/** `capstan install`: resolves to the exit status. */
export const runInstall = async (
  options: InstallCommandOptions,
  write: (text: string) => void = (text) => void process.stdout.write(text),
): Promise<number> => {
  const providers = await createProviders(options.providers);
  if (options.print) {
    write(manifestText(await printedManifests(providers, { ...options, clock: systemClock })));
    return 0;
  }
  const { signal, close } = interruption();
  const connection = connect({ access: await clusterAccess(options, process.env), clock: systemClock });
  try {
    const view = viewFor(options.output, { live: false });
    await applyInstallation(createClient(connection), providers, { ...options, clock: systemClock, view, signal });
    return 0;
  } finally {
    await connection.close();
    close();
  }
};

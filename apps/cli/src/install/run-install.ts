import { CapstanError } from "@capstan/contract";
import { systemClock } from "@capstan/runtime";
import { connect, createClient } from "@capstan/kube";
import { clusterAccess } from "../manager/cluster-access.ts";
import { createProviders } from "../providers/known-providers.ts";
import { interruption, viewFor } from "../terminal.ts";
import { applyInstallation } from "./apply-installation.ts";
import type { InstallCommandOptions } from "./install-command.ts";
import { manifestsFor, manifestText } from "./manifests.ts";

const printedWebhooks = new CapstanError({
  code: "manager.flags_conflict",
  reason: "FlagsConflict",
  message: "--print cannot show webhooks: their certificate is made in the cluster; leave --print out",
  retry: { kind: "never" },
});

/** `capstan install`: resolves to the exit status. */
export const runInstall = async (
  options: InstallCommandOptions,
  write: (text: string) => void = (text) => void process.stdout.write(text),
): Promise<number> => {
  const providers = createProviders(options.providers);
  if (options.print) {
    if (options.webhooks !== undefined) throw printedWebhooks;
    write(manifestText(manifestsFor(providers, options)));
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

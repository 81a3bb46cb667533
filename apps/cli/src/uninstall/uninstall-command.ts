import { Command } from "commander";
import {
  installedPlace,
  withInstallationFlags,
  type InstallationFlags,
  type InstalledPlace,
} from "../cluster/cluster-flags.ts";
import { outputOption } from "../flag-values.ts";

/** Options of `capstan uninstall`. */
export interface UninstallOptions extends InstalledPlace {
  /** Shows what would be done. */
  readonly dryRun: boolean;
  /** Although clusters are left with no one to manage them. */
  readonly force: boolean;
  readonly output: "text" | "json";
}

interface UninstallFlags extends InstallationFlags {
  readonly dryRun?: true;
  readonly force?: true;
  readonly output: "text" | "json";
}

/** `capstan uninstall`: removes what `capstan install` created. */
export const uninstallCommand = (
  run: (options: UninstallOptions) => Promise<number>,
  done: (status: number) => void,
): Command =>
  withInstallationFlags(
    new Command("uninstall").description("Delete what capstan install created, and list what remains."),
  )
    .option("--dry-run", "only show what would be deleted, kept and orphaned")
    .option("--force", "uninstall even if clusters and servers are left unmanaged")
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Refused while there are objects that only the managers can delete, such as Clusters, unless --force is given: then these stay,
with their servers and their finalizers, and so do the definitions of their kinds. Install again to manage them again.

Examples:
  capstan uninstall --kubeconfig ./admin.kubeconfig --dry-run
  capstan uninstall --kubeconfig ./admin.kubeconfig`,
    )
    .action(async (flags: UninstallFlags) => {
      const { dryRun = false, force = false, output } = flags;
      done(await run({ ...installedPlace(flags), dryRun, force, output }));
    });

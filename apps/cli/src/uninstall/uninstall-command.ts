import { Command } from "commander";
import { installationOption } from "../cluster/cluster-flags.ts";
import { defaultInstallation } from "../cluster/installation.ts";
import { defaultSystemNamespace } from "../cluster/manager-options.ts";
import { outputOption } from "../flag-values.ts";

/** What `capstan uninstall` was asked to do. */
export interface UninstallOptions {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly installation: string;
  readonly systemNamespace: string;
  /** Shows what would be done. */
  readonly dryRun: boolean;
  /** Although clusters are left with nobody to manage them. */
  readonly force: boolean;
  readonly output: "text" | "json";
}

interface UninstallFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly installation?: string;
  readonly systemNamespace?: string;
  readonly dryRun?: true;
  readonly force?: true;
  readonly output: "text" | "json";
}

/** `capstan uninstall`: removes what `capstan install` created. */
export const uninstallCommand = (
  run: (options: UninstallOptions) => Promise<number>,
  done: (status: number) => void,
): Command =>
  new Command("uninstall")
    .description("Delete what capstan install created, and say what remains.")
    .option("--kubeconfig <file>", "kubeconfig of the cluster (default: the Pod's own account, else as kubectl)")
    .option("--context <name>", "context of the kubeconfig (default: its current one)")
    .addOption(installationOption())
    .option("--system-namespace <name>", `namespace of the installation (default: ${defaultSystemNamespace})`)
    .option("--dry-run", "show what would be deleted, what would remain and which clusters would be orphaned")
    .option("--force", "uninstall even if clusters and their servers are left unmanaged")
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
    .action(async ({ installation = defaultInstallation, systemNamespace, ...flags }: UninstallFlags) =>
      done(
        await run({
          kubeconfig: flags.kubeconfig,
          context: flags.context,
          installation,
          systemNamespace: systemNamespace ?? defaultSystemNamespace,
          dryRun: flags.dryRun === true,
          force: flags.force === true,
          output: flags.output,
        }),
      ),
    );

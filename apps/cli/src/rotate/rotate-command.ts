import { Command } from "commander";
import { installationOption } from "../cluster/cluster-flags.ts";
import { defaultInstallation } from "../cluster/installation.ts";
import { defaultSystemNamespace } from "../cluster/manager-options.ts";
import { outputOption } from "../flag-values.ts";

/** What `capstan rotate-webhook-authority` was asked to do. */
export interface RotateOptions {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly installation: string;
  readonly systemNamespace: string;
  readonly output: "text" | "json";
}

interface RotateFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly installation?: string;
  readonly systemNamespace?: string;
  readonly output: "text" | "json";
}

/** `capstan rotate-webhook-authority`: replaces the certificate authority of an installation's webhooks. */
export const rotateCommand = (
  run: (options: RotateOptions) => Promise<number>,
  done: (status: number) => void,
): Command =>
  new Command("rotate-webhook-authority")
    .description("Replace the certificate authority of an installation's webhooks, without refused writes.")
    .option("--kubeconfig <file>", "kubeconfig of the cluster (default: the Pod's own account, else as kubectl)")
    .option("--context <name>", "context of the kubeconfig (default: its current one)")
    .addOption(installationOption())
    .option("--system-namespace <name>", `namespace of the installation (default: ${defaultSystemNamespace})`)
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
For when the key of the authority may be known to others. Everything that trusts the authority, in webhook configurations and
definitions, first trusts a new one too; then managers serve under the new one, which takes them up to a minute; then nothing trusts
the old one any more. This takes about two and a half minutes. If it is interrupted, both are trusted: run it again.

Example:
  capstan rotate-webhook-authority --kubeconfig ./admin.kubeconfig`,
    )
    .action(async ({ installation = defaultInstallation, systemNamespace, ...flags }: RotateFlags) =>
      done(
        await run({
          kubeconfig: flags.kubeconfig,
          context: flags.context,
          installation,
          systemNamespace: systemNamespace ?? defaultSystemNamespace,
          output: flags.output,
        }),
      ),
    );

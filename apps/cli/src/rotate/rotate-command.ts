import { Command } from "commander";
import {
  installedPlace,
  withInstallationFlags,
  type InstallationFlags,
  type InstalledPlace,
} from "../cluster/cluster-flags.ts";
import { outputOption } from "../flag-values.ts";

/** Options of `capstan rotate-webhook-authority`. */
export interface RotateOptions extends InstalledPlace {
  readonly output: "text" | "json";
}

interface RotateFlags extends InstallationFlags {
  readonly output: "text" | "json";
}

/** `capstan rotate-webhook-authority`: replaces the certificate authority of an installation's webhooks. */
export const rotateCommand = (
  run: (options: RotateOptions) => Promise<number>,
  done: (status: number) => void,
): Command =>
  withInstallationFlags(
    new Command("rotate-webhook-authority").description(
      "Rotate the certificate authority of an installation's webhooks without downtime.",
    ),
  )
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
    .action(async (flags: RotateFlags) => done(await run({ ...installedPlace(flags), output: flags.output })));

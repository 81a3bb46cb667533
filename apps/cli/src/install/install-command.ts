import { Command } from "commander";
import { outputOption } from "../flag-values.ts";
import { withClusterFlags } from "../manager/manager-command.ts";
import { defaultSystemNamespace } from "../manager/manager-options.ts";
import { webhookOptions, type WebhookFlags, type WebhookOptions } from "../webhooks/webhook-options.ts";
import { providerNames } from "../providers/known-providers.ts";

/** What `capstan install` was asked to do. */
export interface InstallCommandOptions {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly providers: readonly string[];
  readonly namespaces: readonly string[];
  readonly watchFilter: string | undefined;
  readonly systemNamespace: string;
  readonly serviceAccount: string | undefined;
  readonly webhooks: WebhookOptions | undefined;
  /** Shows instead of applying. */
  readonly print: boolean;
  readonly output: "text" | "json";
}

interface InstallFlags extends WebhookFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly providers?: readonly string[];
  readonly namespace?: readonly string[];
  readonly watchFilter?: string;
  readonly systemNamespace?: string;
  readonly serviceAccount?: string;
  readonly print?: true;
  readonly output: "text" | "json";
}

const installOptions = (flags: InstallFlags): InstallCommandOptions => ({
  kubeconfig: flags.kubeconfig,
  context: flags.context,
  providers: [...new Set(flags.providers ?? providerNames)],
  namespaces: [...new Set(flags.namespace)],
  watchFilter: flags.watchFilter,
  systemNamespace: flags.systemNamespace ?? defaultSystemNamespace,
  serviceAccount: flags.serviceAccount,
  webhooks: webhookOptions(flags, flags.systemNamespace ?? defaultSystemNamespace),
  print: flags.print === true,
  output: flags.output,
});

/** `capstan install`: what a cluster needs before `capstan manager` runs against it. */
export const installCommand = (
  run: (options: InstallCommandOptions) => Promise<number>,
  done: (status: number) => void,
): Command =>
  withClusterFlags(
    new Command("install").description(
      "Apply, or print, the definitions, namespace, accounts and roles that managers need.",
    ),
  )
    .option("--service-account <name>", "account of one manager for all these providers (default: one for each)")
    .option("--print", "print manifests for kubectl apply --server-side -f - instead of applying them")
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Roles hold what the providers' controllers use, and nothing else. With --namespace they are Roles of those namespaces.

Examples:
  capstan install --kubeconfig ./admin.kubeconfig
  capstan install --providers core,infra-linode --namespace team-a --print | kubectl apply --server-side -f -`,
    )
    .action(async (flags: InstallFlags) => done(await run(installOptions(flags))));

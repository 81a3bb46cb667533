import { Command, Option } from "commander";
import { count, outputOption } from "../flag-values.ts";
import { withClusterFlags } from "../manager/manager-command.ts";
import { defaultSystemNamespace } from "../manager/manager-options.ts";
import { webhookOptions, type WebhookFlags, type WebhookOptions } from "../webhooks/webhook-options.ts";
import { createProviders, providerNames } from "../providers/known-providers.ts";
import type { DeploymentOptions } from "./deployment.ts";

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
  readonly deployment: DeploymentOptions | undefined;
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
  readonly image?: string;
  readonly replicas: number;
  readonly print?: true;
  readonly output: "text" | "json";
}

/** One account for all providers that run in one Deployment, and a Service by its name where they have webhooks. */
const deployed = async (flags: InstallFlags, providers: readonly string[]): Promise<Partial<InstallFlags>> => {
  if (flags.image === undefined) return {};
  const { configuredKinds } = await import("../webhooks/served-kinds.ts");
  const { accountName } = await import("./roles.ts");
  const [only = "", ...others] = providers;
  const { serviceAccount = others.length === 0 ? accountName(only) : "capstan" } = flags;
  const { webhookService = serviceAccount } = flags;
  const hasWebhooks = configuredKinds(await createProviders(providers)).length > 0;
  return { serviceAccount, ...(hasWebhooks && { webhookService }) };
};

const installOptions = async (given: InstallFlags): Promise<InstallCommandOptions> => {
  const providers = [...new Set(given.providers ?? providerNames)];
  const flags = { ...given, ...(await deployed(given, providers)) };
  const systemNamespace = flags.systemNamespace ?? defaultSystemNamespace;
  return {
    kubeconfig: flags.kubeconfig,
    context: flags.context,
    providers,
    namespaces: [...new Set(flags.namespace)],
    watchFilter: flags.watchFilter,
    systemNamespace,
    serviceAccount: flags.serviceAccount,
    webhooks: webhookOptions(flags, systemNamespace),
    deployment: flags.image === undefined ? undefined : { image: flags.image, replicas: flags.replicas },
    print: flags.print === true,
    output: flags.output,
  };
};

/** `capstan install`: what a cluster needs before `capstan manager` runs against it. */
export const installCommand = (
  run: (options: InstallCommandOptions) => Promise<number>,
  done: (status: number) => void,
): Command =>
  withClusterFlags(
    new Command("install").description("Apply, or print, what managers need, and with --image the managers."),
  )
    .option("--service-account <name>", "account of one manager for all these providers (default: one for each)")
    .addOption(
      new Option(
        "--image <image>",
        "run the managers in the cluster, from this image, whose entry point is capstan",
      ).conflicts("webhookUrl"),
    )
    .addOption(
      new Option("--replicas <n>", "Pods of --image: one leads, the others stand by").argParser(count).default(2),
    )
    .option("--print", "print manifests for kubectl apply --server-side -f - instead of applying them")
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Roles hold what the providers' controllers use, and nothing else. With --namespace they are Roles of those namespaces.
With --image there are also a Deployment for all these providers, and a Service and configurations for its webhooks; their
certificate is made too, so what --print shows then holds private keys.

Examples:
  capstan install --kubeconfig ./admin.kubeconfig
  capstan install --kubeconfig ./admin.kubeconfig --image registry.example/capstan:0.1.0
  capstan install --providers core,infra-linode --namespace team-a --print | kubectl apply --server-side -f -`,
    )
    .action(async (flags: InstallFlags) => done(await run(await installOptions(flags))));

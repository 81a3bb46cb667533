import { Command, Option } from "commander";
import { count, outputOption } from "../flag-values.ts";
import type { DefaultCredentialsV1 } from "@capstan/contract/v1";
import type { ReferenceFlags, ReferenceRule } from "../cluster/reference-flags.ts";
import { defaultCredentialsOf, type DefaultCredentialsFlags } from "../cluster/default-credentials-flags.ts";
import type { AddressFlags } from "../cluster/address-flags.ts";
import { withClusterFlags } from "../cluster/cluster-flags.ts";
import { defaultInstallation } from "../cluster/installation.ts";
import { defaultSystemNamespace } from "../cluster/manager-options.ts";
import { providerNames } from "../modules/providers.ts";
import { applyConfigFile, configOption } from "../config-file.ts";
import type { OptionSettings, SetOptionFlags } from "../options/set-option-flag.ts";
import { tuningOf, withTuningFlags, type Tuning, type TuningFlags } from "../cluster/tuning-flags.ts";
import type { WebhookFlags } from "../webhooks/webhook-options.ts";

/** Options of `capstan install`. */
export interface InstallCommandOptions {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  /** Names, packages or paths. */
  readonly providers: readonly string[];
  /** Object stores of the managers inside the cluster. Default: theirs. */
  readonly objectStores: readonly string[] | undefined;
  /** Provider options of the managers inside the cluster. Default: none. */
  readonly setOptions?: OptionSettings;
  readonly namespaces: readonly string[];
  readonly watchFilter: string | undefined;
  /** Default credentials of the managers inside the cluster. */
  readonly defaultCredentials: DefaultCredentialsV1;
  /** Which references into other namespaces are followed. Default: `admitted`. */
  readonly references?: ReferenceRule | undefined;
  /** Allowed addresses of the managers inside the cluster. */
  readonly allowedAddresses?: readonly string[];
  /** Pace and election of the managers inside the cluster. */
  readonly tuning: Tuning;
  readonly installation: string;
  readonly systemNamespace: string;
  readonly serviceAccount: string | undefined;
  readonly webhooks: WebhookFlags;
  /** Managers inside the cluster run it. */
  readonly image: string | undefined;
  readonly replicas: number;
  /** Providers and namespaces that the installation had may go although something needs them. */
  readonly remove: boolean;
  /** Allows replacing an installation of a newer release of Capstan. */
  readonly allowDowngrade: boolean;
  /** Shows instead of applying: the manifests, or what kubectl is to delete. */
  readonly print: "manifests" | "stale" | undefined;
  readonly output: "text" | "json";
}

interface InstallFlags
  extends AddressFlags, WebhookFlags, DefaultCredentialsFlags, ReferenceFlags, SetOptionFlags, TuningFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly providers?: readonly string[];
  readonly objectStores?: readonly string[];
  readonly namespace?: readonly string[];
  readonly watchFilter?: string;
  readonly installation?: string;
  readonly systemNamespace?: string;
  readonly serviceAccount?: string;
  readonly image?: string;
  readonly replicas: number;
  readonly remove?: true;
  readonly allowDowngrade?: true;
  readonly print?: true;
  readonly printStale?: true;
  readonly config?: string;
  readonly output: "text" | "json";
}

const installOptions = (flags: InstallFlags): InstallCommandOptions => ({
  kubeconfig: flags.kubeconfig,
  context: flags.context,
  providers: [...new Set(flags.providers ?? providerNames)],
  objectStores: flags.objectStores,
  setOptions: flags.setOption ?? [],
  namespaces: [...new Set(flags.namespace)],
  watchFilter: flags.watchFilter,
  defaultCredentials: defaultCredentialsOf(flags),
  references: flags.crossNamespaceReferences,
  allowedAddresses: flags.allowAddress ?? [],
  tuning: tuningOf(flags),
  installation: flags.installation ?? defaultInstallation,
  systemNamespace: flags.systemNamespace ?? defaultSystemNamespace,
  serviceAccount: flags.serviceAccount,
  webhooks: {
    webhookUrl: flags.webhookUrl,
    webhookService: flags.webhookService,
    webhookPort: flags.webhookPort,
  },
  image: flags.image,
  replicas: flags.replicas,
  remove: flags.remove === true,
  allowDowngrade: flags.allowDowngrade === true,
  print: flags.printStale === true ? "stale" : flags.print === true ? "manifests" : undefined,
  output: flags.output,
});

/** `capstan install`: what a cluster needs before `capstan manager` runs against it. */
export const installCommand = (
  run: (options: InstallCommandOptions) => Promise<number>,
  done: (status: number) => void,
): Command =>
  withTuningFlags(
    withClusterFlags(
      new Command("install").description("Apply or print what managers need and, with --image, the managers."),
    ),
  )
    .option("--service-account <name>", "one account for all these providers (default: one for each)")
    .addOption(
      new Option(
        "--image <image>",
        "run the managers in the cluster from this image, whose entry point is capstan",
      ).conflicts("webhookUrl"),
    )
    .addOption(
      new Option("--replicas <n>", "replicas of --image; one leads, the others stand by").argParser(count).default(2),
    )
    .option("--remove", "remove providers and namespaces no longer named, even if still in use")
    .option("--allow-downgrade", "install even if the existing installation is newer")
    .option("--print", "print manifests for kubectl apply --server-side -f - instead of applying them")
    .option("--print-stale", "print objects that the installation no longer needs, for kubectl delete -f -")
    .addOption(configOption())
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Roles grant only what the providers' controllers use; with --namespace they are Roles in those namespaces. With --image,
a Deployment for all these providers and a Service and configurations for its webhooks are added. Their certificate is
created too, so the output of --print then contains private keys. --print reuses the cluster's certificate; without a
cluster it creates a new one. Managers of --image elect a leader and serve diagnostics at :8443; the flags of
capstan manager that install has too are passed on to them.

Reinstalling with other providers changes the installation: what it no longer needs is removed, except CRDs and their
objects. See capstan uninstall.

Also accepts the flags of upstream's managers: docs/upstream-flags.md.

Examples:
  capstan install --kubeconfig ./admin.kubeconfig
  capstan install --kubeconfig ./admin.kubeconfig --image registry.example/capstan:0.1.0
  capstan install --providers core,infra-linode --namespace team-a --print | kubectl apply --server-side -f -`,
    )
    .action(async ({ config }: InstallFlags, command: Command) => {
      if (config !== undefined) await applyConfigFile(command, config);
      done(await run(installOptions(command.opts<InstallFlags>())));
    });

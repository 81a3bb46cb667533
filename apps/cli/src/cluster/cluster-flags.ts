import { type Command, InvalidArgumentError, Option } from "commander";
import { append, port } from "../flag-values.ts";
import { objectStoresOption, providersOption } from "../modules/module-options.ts";
import { setOptionOption } from "../options/set-option-flag.ts";
import { allowAddressOption } from "./address-flags.ts";
import { credentialsFolderOption, defaultCredentialsNamespacesOption } from "./default-credentials-flags.ts";
import { defaultInstallation } from "./installation.ts";
import { referencesOption } from "./reference-flags.ts";
import { defaultSystemNamespace } from "./manager-options.ts";

const httpsUrl = (value: string): string => {
  if (URL.canParse(value) && /^https:\/\/[^/]+\/?$/.test(value)) return value;
  throw new InvalidArgumentError("must be an address such as https://10.0.0.5:9443.");
};

const installationName = (value: string): string => {
  if (/^[a-z]([-a-z0-9]{0,30}[a-z0-9])?$/.test(value)) return value;
  throw new InvalidArgumentError("must be at most 32 lowercase letters, digits and hyphens, such as team-a.");
};

const installationOption = (): Option =>
  new Option(
    "--installation <name>",
    `name of the installation, unique in the cluster (default: ${defaultInstallation})`,
  ).argParser(installationName);

const withKubeconfigFlags = (command: Command): Command =>
  command
    .option("--kubeconfig <file>", "kubeconfig of the cluster (default: the Pod's ServiceAccount, else as kubectl)")
    .option("--context <name>", "context of the kubeconfig (default: its current one)");

/** An installation in a cluster that a command works on. */
export interface InstalledPlace {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly installation: string;
  readonly systemNamespace: string;
}

/** Parsed flags of `withInstallationFlags`. */
export interface InstallationFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly installation?: string;
  readonly systemNamespace?: string;
}

/** The flags that say which installation of which cluster. */
export const withInstallationFlags = (command: Command): Command =>
  withKubeconfigFlags(command)
    .addOption(installationOption())
    .option("--system-namespace <name>", `namespace of the installation (default: ${defaultSystemNamespace})`);

/** The installation that the flags of `withInstallationFlags` name. */
export const installedPlace = ({
  context,
  installation = defaultInstallation,
  kubeconfig,
  systemNamespace = defaultSystemNamespace,
}: InstallationFlags): InstalledPlace => ({ kubeconfig, context, installation, systemNamespace });

/** The flags that say which cluster; `capstan install` has them too. */
export const withClusterFlags = (command: Command): Command =>
  withKubeconfigFlags(command)
    .addOption(providersOption())
    .addOption(objectStoresOption())
    .addOption(setOptionOption())
    .option("--namespace <name>", "namespace to watch (default: all); may be repeated", append)
    .option("--watch-filter <value>", "reconcile only objects whose watch-filter label has this value")
    .addOption(allowAddressOption("none"))
    .addOption(defaultCredentialsNamespacesOption())
    .addOption(credentialsFolderOption())
    .addOption(referencesOption())
    .addOption(installationOption())
    .option(
      "--system-namespace <name>",
      `namespace of managers, their accounts and Leases (default: the Pod's, else ${defaultSystemNamespace})`,
    )
    .addOption(
      new Option("--webhook-url <url>", "serve conversion and admission webhooks at this address")
        .argParser(httpsUrl)
        .conflicts("webhookService"),
    )
    .option("--webhook-service <name>", "like --webhook-url, through this Service in the system namespace")
    .option("--webhook-port <port>", "port of the webhooks (default: that of the URL, else 9443)", port);

import { type Command, InvalidArgumentError, Option } from "commander";
import { append, port } from "../flag-values.ts";
import { objectStoresOption, providersOption } from "../modules/module-options.ts";
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

export const installationOption = (): Option =>
  new Option(
    "--installation <name>",
    `name of the installation; each one in a cluster needs its own (default: ${defaultInstallation})`,
  ).argParser(installationName);

/** The flags that say which cluster; `capstan install` has them too. */
export const withClusterFlags = (command: Command): Command =>
  command
    .option("--kubeconfig <file>", "kubeconfig of the cluster (default: the Pod's own account, else as kubectl)")
    .option("--context <name>", "context of the kubeconfig (default: its current one)")
    .addOption(providersOption())
    .addOption(objectStoresOption())
    .option("--namespace <name>", "namespace to watch instead of all; may be repeated", append)
    .option("--watch-filter <value>", "handle only objects whose watch-filter label has this value")
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
      new Option("--webhook-url <url>", "serve conversion and admission; the API server reaches them at this address")
        .argParser(httpsUrl)
        .conflicts("webhookService"),
    )
    .option("--webhook-service <name>", "as --webhook-url, by this Service of the system namespace")
    .option("--webhook-port <port>", "port the webhooks listen on (default: that of the URL, else 9443)", port);

import { CapstanError, silentLogger } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { connect, createClient } from "@capstan/kube";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { clusterAccess } from "../cluster/cluster-access.ts";
import { patientConnection } from "../cluster/patient-connection.ts";
import { outsideOf } from "../modules/outside.ts";
import { createProviders } from "../modules/providers.ts";
import { isRelativePath } from "../modules/resolve-module.ts";
import { runCommand } from "../run-command.ts";
import { viewFor } from "../terminal.ts";
import { webhookOptions } from "../webhooks/webhook-options.ts";
import { applyInstallation } from "./apply-installation.ts";
import type { InstallCommandOptions } from "./install-command.ts";
import { manifestText, printedManifests, type InstallOptions } from "./manifests.ts";
import { accountName } from "./roles.ts";

/** What an image has is named as it is there. */
const checkImage = ({ image, providers, objectStores = [] }: InstallCommandOptions): void => {
  const path = [...providers, ...objectStores].find(isRelativePath);
  if (image === undefined || path === undefined) return;
  throw new CapstanError({
    code: "module.path_in_image",
    reason: "PathInImage",
    message: `${path}: managers in ${image} have no such path; name a package that the image has, or a path there that begins with /`,
    retry: { kind: "never" },
  });
};

/** One account for all providers that run in one Deployment, and a Service by its name where they have webhooks. */
const withDeployment = (
  { image, replicas, providers: named, objectStores, ...options }: InstallCommandOptions,
  providers: readonly ProviderV1[],
): InstallOptions => {
  const { systemNamespace } = options;
  if (image === undefined) return { ...options, webhooks: webhookOptions(options.webhooks, systemNamespace) };
  const [only, ...others] = providers;
  const { serviceAccount = only !== undefined && others.length === 0 ? accountName(only.name) : "capstan" } = options;
  const hasWebhooks = providers.some(({ webhooks = [] }) => webhooks.length > 0);
  const { webhookService = hasWebhooks ? serviceAccount : undefined } = options.webhooks;
  return {
    ...options,
    serviceAccount,
    webhooks: webhookOptions({ ...options.webhooks, webhookService }, systemNamespace),
    deployment: { image, replicas, providers: named, objectStores },
  };
};

/** `capstan install`: resolves to the exit status. */
export const runInstall = async (
  options: InstallCommandOptions,
  write: (text: string) => void = (text) => void process.stdout.write(text),
): Promise<number> => {
  checkImage(options);
  const clock = systemClock;
  const variables = (name: string): string | undefined => process.env[name];
  const outside = outsideOf({ clock, random: cryptoRandom, log: silentLogger, variables });
  const providers = await createProviders(options.providers, outside);
  const settings = withDeployment(options, providers);
  if (options.print) {
    write(manifestText(await printedManifests(providers, { ...settings, clock })));
    return 0;
  }
  const view = viewFor(options.output);
  return runCommand({ interrupted: 130, failures: { view, output: options.output } }, async (signal) => {
    const connection = connect({ access: await clusterAccess(options, process.env), clock });
    try {
      const { watchFilter } = options;
      await applyInstallation(createClient(patientConnection(connection, view)), providers, {
        ...settings,
        watchFilter,
        clock,
        view,
        signal,
      });
      return 0;
    } finally {
      await connection.close();
    }
  });
};

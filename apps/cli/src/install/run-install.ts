import { CapstanError, isCapstanError, silentLogger } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { connect, createClient, type Client, type Connection } from "@capstan/kube";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { clusterAccess } from "../cluster/cluster-access.ts";
import { patientConnection } from "../cluster/patient-connection.ts";
import { outsideOf } from "../modules/outside.ts";
import { objectStoreNames } from "../modules/object-stores.ts";
import { createProviders } from "../modules/providers.ts";
import { checkOptions } from "../modules/declared-options.ts";
import { isRelativePath } from "../modules/resolve-module.ts";
import { runCommand } from "../run-command.ts";
import { viewFor } from "../terminal.ts";
import { webhookOptions } from "../webhooks/webhook-options.ts";
import { applyInstallation } from "./apply-installation.ts";
import { checkConcurrency, checkTimes } from "../cluster/tuning-flags.ts";
import type { InstallCommandOptions } from "./install-command.ts";
import { manifestText, type InstallOptions } from "./manifests.ts";
import { printedManifests, staleManifests } from "./printed-manifests.ts";

/** Refuses relative paths of modules when an image is given. Throws `module.path_in_image`. */
const checkImage = ({ image, providers, objectStores = [] }: InstallCommandOptions): void => {
  const path = [...providers, ...objectStores].find(isRelativePath);
  if (image === undefined || path === undefined) return;
  throw new CapstanError({
    code: "module.path_in_image",
    reason: "PathInImage",
    message: `${path}: not in ${image}; name a package that the image contains, or an absolute path in it`,
    retry: { kind: "never" },
  });
};

/** One account for all providers that run in one Deployment, and a Service by its name where they have webhooks. */
const withDeployment = (
  {
    allowedAddresses,
    defaultCredentials,
    references,
    image,
    replicas,
    providers: named,
    objectStores,
    setOptions,
    tuning,
    ...options
  }: InstallCommandOptions,
  providers: readonly ProviderV1[],
): InstallOptions => {
  const { systemNamespace, installation } = options;
  const { leaderElectName } = tuning;
  if (image === undefined) {
    return { ...options, leaderElectName, webhooks: webhookOptions(options.webhooks, systemNamespace) };
  }
  const { serviceAccount = installation } = options;
  const hasWebhooks = providers.some(({ webhooks = [] }) => webhooks.length > 0);
  const { webhookService = hasWebhooks ? installation : undefined } = options.webhooks;
  return {
    ...options,
    leaderElectName,
    serviceAccount,
    webhooks: webhookOptions({ ...options.webhooks, webhookService }, systemNamespace),
    deployment: {
      image,
      replicas,
      providers: named,
      objectStores,
      setOptions,
      defaultCredentials,
      references,
      allowedAddresses,
      tuning,
    },
  };
};

const withClient = async <T>(
  options: InstallCommandOptions,
  connected: (connection: Connection) => Connection,
  work: (client: Client) => Promise<T>,
): Promise<T> => {
  const connection = connect({ access: await clusterAccess(options, process.env), clock: systemClock });
  try {
    return await work(createClient(connected(connection)));
  } finally {
    await connection.close();
  }
};

/** The kubeconfig was named, so what is wrong with it is an error. */
const isNamed = ({ kubeconfig, context }: InstallCommandOptions): boolean =>
  kubeconfig !== undefined || context !== undefined;

const printed = async (
  options: InstallCommandOptions,
  providers: readonly ProviderV1[],
  settings: InstallOptions,
): Promise<readonly KubeObject[]> => {
  const ask = (client: Client | undefined) =>
    printedManifests(client, providers, { ...settings, allowDowngrade: options.allowDowngrade, clock: systemClock });
  if (settings.webhooks === undefined && !isNamed(options)) return ask(undefined);
  try {
    return await withClient(options, (connection) => connection, ask);
  } catch (error) {
    if (isNamed(options) || !isCapstanError(error) || error.code.startsWith("installation.")) throw error;
    process.stderr.write(
      `capstan: cannot read the webhook authority from a cluster: ${error.message}; these manifests contain a new one, so the API server rejects the webhooks of running managers for up to a minute, until they serve it\n`,
    );
    return ask(undefined);
  }
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
  const { objectStores = objectStoreNames, setOptions = [] } = options;
  await checkOptions(setOptions, { providers: options.providers, objectStores });
  const providers = await createProviders(options.providers, outside);
  checkConcurrency(options.tuning, providers);
  checkTimes(options.tuning);
  const settings = withDeployment(options, providers);
  if (options.print === "manifests") {
    write(manifestText(await printed(options, providers, settings)));
    return 0;
  }
  const view = viewFor(options.output);
  return runCommand({ interrupted: 130, failures: { view, output: options.output } }, (signal) =>
    withClient(
      options,
      (connection) => patientConnection(connection, view),
      async (client) => {
        if (options.print === "stale") {
          write(manifestText(await staleManifests(client, providers, { ...settings, clock, signal })));
          return 0;
        }
        const { allowDowngrade, watchFilter, remove } = options;
        const how = { watchFilter, remove, allowDowngrade, clock, view, signal };
        await applyInstallation(client, providers, { ...settings, ...how });
        return 0;
      },
    ),
  );
};

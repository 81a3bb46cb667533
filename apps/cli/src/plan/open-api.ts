import { accessSync, chmodSync, constants, cpSync, existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { createApiServer } from "@capstan/apiserver";
import { CapstanError, isCapstanError, type Clock, type Logger, type ProxyFor, type Random } from "@capstan/contract";
import type { OutsideV1, ProviderV1, SimulationV1 } from "@capstan/contract/v1";
import { connect, createClient, loadKubeconfig, type Access, type Client } from "@capstan/kube";
import { clusterAccess } from "../cluster/cluster-access.ts";
import { outsideOf, withCloudVariables } from "../modules/outside.ts";
import { objectStoreNames } from "../modules/object-stores.ts";
import { createProviders, providerNames } from "../modules/providers.ts";
import { checkOptions } from "../modules/declared-options.ts";
import type { OptionSettings } from "../options/set-option-flag.ts";
import { installCrds } from "../providers/install-crds.ts";
import { openDataFolder, type DataFolder } from "../up/data-folder.ts";
import { checkDataFiles, dataFileName } from "../up/check-data-files.ts";
import { holdFolder } from "../up/hold-folder.ts";
import { rememberedParts } from "../up/remembered-parts.ts";
import { loadSimulations, simulationOutside } from "../up/simulations.ts";
import { rememberedClouds, type RememberedCloud } from "../up/simulator-places.ts";
import { providerExtensions } from "../webhooks/local-webhooks.ts";
import type { PlanOptions } from "./plan-command.ts";

export interface PlanEnvironment {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly variables: (name: string) => string | undefined;
  readonly proxyFor: ProxyFor;
  readonly signal: AbortSignal;
}

/** The management API that a plan is made on. */
export interface OpenApi {
  readonly client: Client;
  readonly providers: readonly ProviderV1[];
  /** Variables of manifests; those of simulated clouds come first. */
  readonly variable: OutsideV1["variable"];
}

type Cleanups = (() => Promise<void> | void)[];

const connected = (access: Access, { clock }: PlanEnvironment, cleanups: Cleanups): Client => {
  const connection = connect({ access, clock });
  cleanups.push(() => connection.close());
  return createClient(connection);
};

/** A management API that runs, and the clouds beside it. */
const running = async (
  access: Access,
  clouds: readonly RememberedCloud[],
  { names, settings }: { readonly names: readonly string[]; readonly settings: OptionSettings | undefined },
  environment: PlanEnvironment,
  cleanups: Cleanups,
): Promise<OpenApi> => {
  const providers = await createProviders(names, outsideOf(environment, clouds), { settings });
  const variable = withCloudVariables(environment.variables, clouds);
  return { client: connected(access, environment, cleanups), providers, variable };
};

/** Simulated clouds without machines that run: nothing is to happen in them. */
const startClouds = async (
  names: readonly string[],
  environment: PlanEnvironment & { readonly data: DataFolder },
  cleanups: Cleanups,
): Promise<readonly SimulationV1[]> => {
  const guest = () => ({ boot: () => undefined, shutdown: () => undefined });
  const simulations: SimulationV1[] = [];
  for (const { make } of await loadSimulations(names)) {
    const simulation = await make({ ...simulationOutside(environment, []), guest });
    cleanups.push(() => simulation.stop());
    await simulation.start();
    simulations.push(simulation);
  }
  return simulations;
};

/** A copy of what is read-only is read-only too. */
const makeWritable = (folder: string): void => {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) makeWritable(path);
    else if (entry.isFile()) chmodSync(path, 0o600);
  }
};

/** The same of a copy of a data folder, which is gone afterwards: what a plan tries is nowhere else. */
const copied = async (
  folder: string,
  options: PlanOptions,
  environment: PlanEnvironment,
  cleanups: Cleanups,
): Promise<OpenApi> => {
  const temporary = openDataFolder("", { temporary: true });
  cleanups.push(() => temporary.close());
  const isPart = (path: string): boolean => !/\/(?:in-use(?:-.*)?|guests)$/.test(path);
  if (existsSync(folder)) {
    cpSync(folder, temporary.path, { recursive: true, filter: isPart });
    makeWritable(temporary.path);
  }
  checkDataFiles({ ...temporary, path: folder });
  try {
    // Its contents are read.
    return await served({ ...temporary, temporary: false }, options, environment, cleanups);
  } catch (error) {
    throw withPath(error, temporary.path, folder);
  }
};

/** An error about a file of a copy, as one about the file that was copied. */
const withPath = (error: unknown, copy: string, original: string): unknown => {
  if (!isCapstanError(error) || !error.message.includes(copy)) return error;
  const { code, reason, retry, details, message } = error;
  return new CapstanError({ code, reason, retry, details, message: message.replaceAll(copy, original), cause: error });
};

/** A management API on the files of a folder, with the clouds that are simulated there. */
const served = async (
  data: DataFolder,
  options: PlanOptions,
  environment: PlanEnvironment,
  cleanups: Cleanups,
): Promise<OpenApi> => {
  const { clock, random, log, signal } = environment;
  const parts = rememberedParts(data);
  const simulate = options.simulate ?? parts?.simulate ?? [];
  const simulations = await startClouds(simulate, { ...environment, data }, cleanups);
  const outside = outsideOf(environment, simulations);
  const providers = await createProviders(options.providers ?? parts?.providers ?? providerNames, outside, {
    settings: options.setOptions ?? parts?.setOptions,
  });
  const server = createApiServer({
    clock,
    random,
    log: log.child({ component: "apiserver" }),
    storage: { file: data.file(dataFileName) },
    port: 0,
    extensions: providerExtensions(providers),
  });
  await server.start();
  cleanups.push(() => server.stop());
  const access = await loadKubeconfig({ text: await server.adminKubeconfig() });
  const client = connected(access, environment, cleanups);
  await installCrds(providers, { client, clock, signal, conversion: "embedded" });
  return { client, providers, variable: withCloudVariables(environment.variables, simulations) };
};

/** Copies nothing while someone writes. */
const inUse = async (folder: string): Promise<boolean> => {
  if (!existsSync(folder)) return false;
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    // Whoever cannot write to it cannot tell whether someone does: a copy is checked when it is opened.
    return false;
  }
  const data = openDataFolder(folder, { temporary: false });
  try {
    holdFolder(data)();
    return false;
  } catch (error) {
    if (isCapstanError(error, "up.data_folder_in_use")) return true;
    throw error;
  }
};

/** Opens the management API that a plan is for; what closes it again is added to `cleanups`. */
export const openApi = async (
  options: PlanOptions,
  environment: PlanEnvironment,
  cleanups: Cleanups,
): Promise<OpenApi> => {
  const { kubeconfig, context } = options;
  const { providers = providerNames, setOptions = [] } = options;
  await checkOptions(setOptions, { providers, objectStores: objectStoreNames });
  if (kubeconfig !== undefined || context !== undefined) {
    const access = await clusterAccess({ kubeconfig, context }, process.env);
    const what = { names: options.providers ?? providerNames, settings: options.setOptions };
    return running(access, [], what, environment, cleanups);
  }
  const folder = resolve(options.dataDir);
  if (!(await inUse(folder))) return copied(folder, options, environment, cleanups);
  const data = openDataFolder(folder, { temporary: false });
  const parts = rememberedParts(data);
  const names = options.providers ?? parts?.providers ?? providerNames;
  const settings = options.setOptions ?? parts?.setOptions;
  const access = await loadKubeconfig({ file: data.file("kubeconfig") });
  return running(access, rememberedClouds(folder), { names, settings }, environment, cleanups);
};

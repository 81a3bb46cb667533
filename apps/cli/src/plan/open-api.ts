import { cpSync, existsSync } from "node:fs";
import { resolve } from "node:path";
import { createApiServer } from "@capstan/apiserver";
import { isCapstanError, type Clock, type Logger, type ProxyFor, type Random } from "@capstan/contract";
import type { OutsideV1, ProviderV1, SimulationV1 } from "@capstan/contract/v1";
import { connect, createClient, loadKubeconfig, type Access, type Client } from "@capstan/kube";
import { clusterAccess } from "../cluster/cluster-access.ts";
import { outsideOf, withCloudVariables } from "../modules/outside.ts";
import { createProviders, providerNames } from "../modules/providers.ts";
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

/** What a plan is made with. */
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
  names: readonly string[],
  environment: PlanEnvironment,
  cleanups: Cleanups,
): Promise<OpenApi> => {
  const providers = await createProviders(names, outsideOf(environment, clouds));
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

/** The same of a copy of a data folder, which is gone afterwards: what a plan tries is nowhere else. */
const copied = async (
  folder: string,
  options: PlanOptions,
  environment: PlanEnvironment,
  cleanups: Cleanups,
): Promise<OpenApi> => {
  const { clock, random, log, signal } = environment;
  const temporary = openDataFolder("", { temporary: true });
  cleanups.push(() => temporary.close());
  const isPart = (path: string): boolean => !/\/(?:in-use(?:-.*)?|guests)$/.test(path);
  if (existsSync(folder)) cpSync(folder, temporary.path, { recursive: true, filter: isPart });
  // What is kept in it is read.
  const data = { ...temporary, temporary: false };
  const parts = rememberedParts(data);
  const simulate = options.simulate ?? parts?.simulate ?? [];
  const simulations = await startClouds(simulate, { ...environment, data }, cleanups);
  const outside = outsideOf(environment, simulations);
  const providers = await createProviders(options.providers ?? parts?.providers ?? providerNames, outside);
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

/** Copies nothing while somebody writes. */
const inUse = async (folder: string): Promise<boolean> => {
  if (!existsSync(folder)) return false;
  const data = openDataFolder(folder, { temporary: false });
  checkDataFiles(data);
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
  if (kubeconfig !== undefined || context !== undefined) {
    const access = await clusterAccess({ kubeconfig, context }, process.env);
    return running(access, [], options.providers ?? providerNames, environment, cleanups);
  }
  const folder = resolve(options.dataDir);
  if (!(await inUse(folder))) return copied(folder, options, environment, cleanups);
  const data = openDataFolder(folder, { temporary: false });
  const names = options.providers ?? rememberedParts(data)?.providers ?? providerNames;
  const access = await loadKubeconfig({ file: data.file("kubeconfig") });
  return running(access, rememberedClouds(folder), names, environment, cleanups);
};

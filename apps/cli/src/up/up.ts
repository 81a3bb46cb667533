import { patientConnection } from "../cluster/patient-connection.ts";
import { createApiServer, type ApiServer, type ManifestObject } from "@capstan/apiserver";
import {
  type AddressGuard,
  CapstanError,
  isCapstanError,
  type Clock,
  type Logger,
  type ProxyFor,
  type Random,
} from "@capstan/contract";
import type { CreateSimulationV1, ObjectStoreOpener, ProviderV1, SimulationV1 } from "@capstan/contract/v1";
import { NamespaceResource } from "@capstan/contract/wire";
import { type Client, connect, type Connection, createClient, loadKubeconfig } from "@capstan/kube";
import { addressGuard, createMetrics, requestMetrics } from "@capstan/runtime";
import type { HeldItem } from "../manifest/held-workers.ts";
import { checkManifestPaths, readManifestFiles, type ManifestFile } from "../manifest/read-manifests.ts";
import { untilAborted } from "../terminal.ts";
import type { View } from "../view/view.ts";
import { applyFiles } from "./apply-files.ts";
import type { DataFolder } from "./data-folder.ts";
import { followFiles } from "./follow-files.ts";
import { heldLines } from "./held-lines.ts";
import { holdFolder } from "./hold-folder.ts";
import { loopback } from "../cluster/address-flags.ts";
import { outsideOf, withCloudVariables } from "../modules/outside.ts";
import { loadProviders, makeProviders } from "../modules/providers.ts";
import { checkOptions } from "../modules/declared-options.ts";
import { composeManager } from "../providers/compose-manager.ts";
import { installCrds } from "../providers/install-crds.ts";
import { checkDataFiles, dataFileName, sayIfOpen } from "./check-data-files.ts";
import { checkSameClouds } from "./check-same-clouds.ts";
import { keepInventory } from "./local-inventory.ts";
import { machineVersions } from "./machine-versions.ts";
import { rememberParts } from "./remembered-parts.ts";
import { readSeeds } from "./read-seeds.ts";
import { rememberedPort, rememberPort } from "./remembered-port.ts";
import { keepDefaultStore, startStores } from "./served-stores.ts";
import type { SimulationEnvironment } from "./simulations.ts";
import type { UpOptions } from "./up-options.ts";
import { waysInto } from "./ways-in.ts";
import { watchProgress, type Progress } from "./watch-progress.ts";
import type { WorkloadKubeconfig } from "./next-steps.ts";
import { removeKubeconfigsOfDeleted, writeWorkloadKubeconfigs } from "./workload-kubeconfigs.ts";
import { policyOf } from "../cluster/reference-policy.ts";
import { providerExtensions } from "../webhooks/local-webhooks.ts";

/**
 * Looks at manifests before any of them is applied. Throws with all that is wrong with them; resolves to what is certain to fail, and to
 * the workers that rules of version skew hold.
 */
export type Preflight = (
  manifests: readonly ManifestObject[],
  options: {
    readonly client: Client;
    readonly providers: readonly ProviderV1[];
    readonly namespace: string;
    readonly signal: AbortSignal;
  },
) => Promise<{ readonly failures: readonly string[]; readonly held: readonly HeldItem[] }>;

export interface UpEnvironment {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly view: View;
  readonly data: DataFolder;
  /** Variables of manifests and of providers. */
  readonly variables: (name: string) => string | undefined;
  /** The HTTP proxy on the way to clouds, object stores and workload clusters. Default: none. */
  readonly proxyFor?: ProxyFor;
  /** Simulated clouds that need not be loaded, by the names that the options have for them. */
  readonly simulations?: Readonly<Record<string, CreateSimulationV1>>;
  /** Unless the options say to keep going. Default: manifests are applied as they are. */
  readonly preflight?: Preflight | undefined;
  /** Given, what the server refuses does not keep the rest from being acted on, and is named to it. Default: it fails the start. */
  readonly onRefused?: ((refusal: CapstanError) => void) | undefined;
  /** For tests that are not about machines: simulated ones have whatever they need. No command sets it. Default: they are strict. */
  readonly lenient?: boolean;
  /** Stands between the controllers and the management API, to count or to disturb. Default: nothing does. */
  readonly wrapConnection?: (connection: Connection) => Connection;
}

/** A system that `capstan up` started. */
export interface RunningSystem {
  readonly client: Client;
  readonly progress: Progress;
  /** Path of the management kubeconfig. */
  readonly kubeconfig: string;
  /** Rejects when the manager ends by itself, or nothing can be kept any more. */
  readonly ended: Promise<void>;
  /** Writes the kubeconfigs of the workload clusters that have one. */
  workloadKubeconfigs(): Promise<readonly WorkloadKubeconfig[]>;
  stop(): Promise<void>;
}

type Cleanup = () => Promise<void> | void;

/** Starts everything and applies the manifests. What was started is stopped again when a later part fails. */
export const startSystem = async (options: UpOptions, environment: UpEnvironment): Promise<RunningSystem> => {
  const cleanups: Cleanup[] = [];
  const life = systemLife();
  const stop = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const cleanup of cleanups.splice(0).toReversed()) {
      try {
        await cleanup();
      } catch (error) {
        failures.push(error);
      }
    }
    // What follows from it says less.
    life.throwIfFailed();
    if (failures.length > 0) throw failures[0];
  };
  try {
    return await assemble(options, environment, cleanups, { ...life, stop });
  } catch (error) {
    await stop().catch(() => undefined);
    life.throwIfFailed();
    throw error;
  }
};

/** Lifetime of a system: until it is stopped, or can no longer store anything. */
interface SystemLife {
  readonly stopping: AbortController;
  /** Ends everything: nothing that happened from then on would be kept. */
  readonly onStorageFailed: (failure: CapstanError) => void;
  readonly throwIfFailed: () => void;
}

const systemLife = (): SystemLife => {
  const stopping = new AbortController();
  let failed: CapstanError | undefined;
  return {
    stopping,
    onStorageFailed: (failure) => {
      failed ??= failure;
      stopping.abort(failed);
    },
    throwIfFailed: () => {
      if (failed !== undefined) throw failed;
    },
  };
};

/** Loads all modules before anything starts, then starts simulated clouds and the parts that work with them. */
const startParts = async (
  options: UpOptions,
  environment: UpEnvironment &
    Pick<SimulationEnvironment, "versionOf"> &
    Pick<SystemLife, "onStorageFailed"> & { readonly stopSignal: AbortSignal },
  cleanups: Cleanup[],
): Promise<{
  readonly files: readonly ManifestFile[];
  readonly readFiles: (paths: readonly string[]) => Promise<readonly ManifestFile[]>;
  readonly simulations: readonly SimulationV1[];
  readonly providers: readonly ProviderV1[];
  readonly stores: readonly ObjectStoreOpener[];
  readonly guard: AddressGuard;
  readonly server: ApiServer;
}> => {
  checkManifestPaths(options.files);
  const factories = await loadProviders(options.providers);
  await checkOptions(options.setOptions ?? [], options);
  const seeds = readSeeds(options.seeds);
  const { loadSimulations, startSimulations } = await import("./simulations.ts");
  const clouds = await loadSimulations(options.simulate, environment.simulations);
  checkDataFiles(environment.data);
  sayIfOpen(environment.data, environment.view);
  cleanups.push(holdFolder(environment.data));
  // A folder that the server refuses costs one line: what has started before it ends with it.
  const early = heldLines(environment.view);
  const quiet = { ...environment, view: early.view };
  const simulations = await startSimulations(clouds, { ...quiet, seeds }, cleanups);
  const { credentialsFolder: folder } = options;
  const guard = addressGuard({ allowed: [...loopback, ...(options.allowedAddresses ?? [])] });
  const defaultCredentials = { namespaces: "*" as const, ...(folder !== undefined && { folder }) };
  const outside = outsideOf({ ...environment, defaultCredentials, guard }, simulations);
  const providers = await makeProviders(factories, outside, options.setOptions);
  const { proxyFor, stopSignal: signal, variables } = environment;
  const readFiles = (paths: readonly string[]) =>
    readManifestFiles(paths, withCloudVariables(variables, simulations), {
      proxyFor,
      signal,
      recursive: options.recursive,
    });
  // What cannot be read is found before the management API starts.
  const files = await readFiles(options.files);
  const stores = await startStores(options, { ...quiet, guard, simulations }, cleanups);
  const server = await startServer(options, { ...environment, providers }, cleanups);
  early.release();
  return { files, readFiles, simulations, providers, stores, server, guard };
};

const assemble = async (
  options: UpOptions,
  environment: UpEnvironment,
  cleanups: Cleanup[],
  { stopping, onStorageFailed, throwIfFailed, stop }: SystemLife & Pick<RunningSystem, "stop">,
): Promise<RunningSystem> => {
  const { clock, view, data, proxyFor } = environment;
  const { signal } = stopping;
  const versions = machineVersions();
  const surroundings = { ...environment, versionOf: versions.of, onStorageFailed, stopSignal: signal };
  const parts = await startParts(options, surroundings, cleanups);
  const { files, readFiles, simulations, providers, stores, server, guard } = parts;
  const kubeconfig = data.writeSecret("kubeconfig", await server.adminKubeconfig());
  view.say({
    type: "apiserver",
    text: `management API at ${server.url}, kubeconfig: ${kubeconfig}`,
    fields: { url: server.url, kubeconfig },
  });

  const metrics = createMetrics();
  const access = await loadKubeconfig({ file: kubeconfig });
  const direct = connect({ access, clock, onAnswer: requestMetrics(metrics) });
  cleanups.push(() => direct.close());
  const connection = environment.wrapConnection?.(direct) ?? direct;
  const defaultStore = await install(options, parts, { connection, clock, data, signal, view });

  const { random, log } = environment;
  const inside = waysInto(simulations);
  const wayTo: ProxyFor = (url) => inside(url) ?? proxyFor?.(url);
  const { bootstrapTimeoutMs } = options;
  const ours = { stores, defaultStore, bootstrapTimeoutMs, connection, references: policyOf(options.references) };
  const manager = composeManager(providers, { ...ours, clock, random, log, metrics, proxyFor: wayTo, guard });
  versions.readFrom(manager.cache);
  removeKubeconfigsOfDeleted(manager.cache, data);
  const progress = watchProgress(manager.cache, providers, view);
  const ended = manager.run({ signal }).finally(throwIfFailed);
  ended.catch(() => undefined);
  cleanups.push(async () => {
    stopping.abort();
    await ended.catch(() => undefined);
  });
  await Promise.race([manager.ready(), ended]);
  view.say({ type: "ready", text: `providers ${providers.map(({ name }) => name).join(", ")} run` });
  const apply = applier({ providers, client: manager.client, signal }, options, environment);
  await apply(files);
  const { client } = manager;
  const following = { ...options, files, readFiles, apply, client, clock, view, signal };
  if (options.watch) cleanups.push(followFiles(options.files, following));
  return {
    client,
    progress,
    kubeconfig,
    ended,
    workloadKubeconfigs: () => writeWorkloadKubeconfigs(manager.client, { data, proxyFor: inside, view, signal }),
    stop,
  };
};

/** Applies files, once nothing is wrong with them. */
const applier =
  (
    system: Pick<Parameters<Preflight>[1], "client" | "providers" | "signal">,
    options: UpOptions,
    { clock, view, preflight, onRefused }: UpEnvironment,
  ) =>
  async (files: readonly ManifestFile[]): Promise<void> => {
    const check = async (manifests: readonly ManifestObject[]): Promise<readonly HeldItem[]> => {
      if (options.keepGoing || preflight === undefined) return [];
      const { failures, held } = await preflight(manifests, { ...system, namespace: options.namespace });
      const certain = options.force === true ? failures : [...failures, ...held.map(({ text }) => text)];
      for (const text of certain) view.say({ type: "warning", text: `will fail: ${text}` });
      return held;
    };
    await ensureNamespace(options.namespace, { client: system.client, view });
    try {
      await applyFiles(files, { ...options, ...system, clock, view, check });
    } catch (error) {
      if (onRefused === undefined || !isCapstanError(error, "apply.refused")) throw error;
      onRefused(error);
    }
  };

/** Creates the namespace of objects without one, which no one else can do before the management API runs. */
const ensureNamespace = async (
  name: string,
  { client, view }: { readonly client: Client; readonly view: View },
): Promise<void> => {
  if ((await client.find(NamespaceResource, { name })) !== undefined) return;
  await client.create(NamespaceResource, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  view.say({ type: "namespace", text: `namespace ${name} created`, fields: { name } });
};

/**
 * Creates the objects that controllers need at their start; returns the Secret of the store for clusters that name
 * none.
 */
const install = async (
  options: UpOptions,
  { providers, stores }: { readonly providers: readonly ProviderV1[]; readonly stores: readonly ObjectStoreOpener[] },
  environment: Pick<UpEnvironment, "clock" | "data" | "view"> & {
    readonly connection: Connection;
    readonly signal: AbortSignal;
  },
): ReturnType<typeof keepDefaultStore> => {
  const { connection, clock, data, signal, view } = environment;
  const client = createClient(patientConnection(connection, view));
  await installCrds(providers, { client, clock, signal, conversion: "embedded" });
  await keepInventory(client, providers, { clock, signal });
  await checkSameClouds(client, { data, simulate: options.simulate, signal });
  rememberParts(data, options);
  return keepDefaultStore(stores, { client, signal });
};

const startServer = async (
  options: UpOptions,
  {
    clock,
    random,
    log,
    data,
    onStorageFailed,
    providers,
  }: UpEnvironment & Pick<SystemLife, "onStorageFailed"> & { readonly providers: readonly ProviderV1[] },
  cleanups: Cleanup[],
): Promise<ApiServer> => {
  const server = createApiServer({
    clock,
    random,
    log: log.child({ component: "apiserver" }),
    storage: options.inMemory ? "memory" : { file: data.file(dataFileName) },
    onStorageFailed,
    port: options.port === 0 ? await rememberedPort("apiserver", { data }) : options.port,
    extensions: providerExtensions(providers, options.references),
  });
  cleanups.push(() => server.stop());
  await server.start();
  rememberPort(data, "apiserver", server.url);
  return server;
};

/** Resolves when every Machine runs; throws `up.timeout` with the reasons when that takes too long. */
export const waitUntilRunning = async (
  system: RunningSystem,
  options: { readonly clock: Clock; readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const check = (): void => {
    if (system.progress.verdict().running) resolve();
  };
  system.progress.onChange(check);
  check();
  void untilAborted(options.signal).then(resolve);
  system.ended.catch(reject);
  const cancel = options.clock.schedule(options.timeoutMs, () =>
    reject(
      new CapstanError({
        code: "up.timeout",
        reason: "NotRunning",
        message: [
          `not every Machine is running after ${options.timeoutMs / 1000} s`,
          ...system.progress.verdict().reasons,
        ].join("\n  "),
        retry: { kind: "never" },
      }),
    ),
  );
  // A timer that is left behind would keep the process alive.
  await promise.finally(cancel);
};

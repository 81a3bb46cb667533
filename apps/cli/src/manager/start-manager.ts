import { type AddressGuard, type Clock, type Logger, type ProxyFor, type Random } from "@capstan/contract";
import type { ObjectStoreOpener, ProviderV1 } from "@capstan/contract/v1";
import { connect, createClient, type Access, type Client, type Connection, type LeaseMark } from "@capstan/kube";
import { markedReferences } from "@capstan/kit/admission";
import { addressGuard, createMetrics, requestMetrics, type LeaderElection, type Manager } from "@capstan/runtime";
import { applyInstallation } from "../install/apply-installation.ts";
import { checkRelease } from "../install/downgrade.ts";
import { findOlder, removeOlderConfigurations, removeOlderState } from "../install/older-release.ts";
import { diagnosticsPermissions } from "../providers/permissions.ts";
import { composeManager } from "../providers/compose-manager.ts";
import { createObjectStores } from "../modules/object-stores.ts";
import { outsideOf } from "../modules/outside.ts";
import { createProviders } from "../modules/providers.ts";
import { askedReferences } from "../webhooks/admitted-references.ts";
import { policyOf } from "../cluster/reference-policy.ts";
import { readReferenceKey } from "../cluster/reference-key.ts";
import type { View } from "../view/view.ts";
import { ownNamespace } from "../cluster/cluster-access.ts";
import { patientConnection } from "../cluster/patient-connection.ts";
import { addWebhooks } from "../webhooks/add-webhooks.ts";
import { webhookCertificate } from "../webhooks/webhook-certificate.ts";
import { webhookOptions } from "../webhooks/webhook-options.ts";
import { addDiagnostics, addHealth } from "./diagnostics.ts";
import { defaultInstallation, isRivalOf, leasesOf } from "../cluster/installation.ts";
import { defaultSystemNamespace, everyKind, type ManagerOptions } from "../cluster/manager-options.ts";
import { requireKinds, requirePermissions } from "./preflight.ts";
import { checkConcurrency, checkTimes } from "../cluster/tuning-flags.ts";

export interface ManagerEnvironment {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly view: View;
  readonly access: Access;
  /** Variables of providers. */
  readonly variables: (name: string) => string | undefined;
  /** The HTTP proxy on the way to clouds, object stores and workload clusters. Default: none. */
  readonly proxyFor?: ProxyFor;
  /** Aborted while it is starting: the start ends at once. */
  readonly signal: AbortSignal;
  /** Stands between the controllers and the management API, to count or to disturb. Default: nothing does. */
  readonly wrapConnection?: (connection: Connection) => Connection;
}

/** A running `capstan manager`; as a standby it waits for its turn. */
export interface StartedManager {
  readonly manager: Manager;
  /** Settles when the manager ends by itself: rejects with the reason. */
  readonly ended: Promise<void>;
  /** Stops, and hands the Lease over. */
  stop(): Promise<void>;
}

const systemNamespaceOf = (options: Pick<ManagerOptions, "systemNamespace">): string =>
  options.systemNamespace ?? ownNamespace() ?? defaultSystemNamespace;

/** By kind: what is said of every kind holds for those that are not named. */
const concurrencyOf = (
  { [everyKind]: usual, ...named }: ManagerOptions["concurrency"],
  providers: readonly ProviderV1[],
): ManagerOptions["concurrency"] => {
  if (usual === undefined) return named;
  const kinds = providers.flatMap((provider) => provider.kinds.map(({ kind }) => kind));
  return { ...Object.fromEntries(kinds.map((kind) => [kind, usual])), ...named };
};

const namesOf = (providers: readonly ProviderV1[]): readonly string[] => providers.map(({ name }) => name);

const installationOf = ({ installation = defaultInstallation }: ManagerOptions): string => installation;

/** One for each provider, unless another is named. */
const leaseMarks = (providers: readonly ProviderV1[], options: ManagerOptions): readonly LeaseMark[] =>
  options.leaderElectName === undefined
    ? leasesOf(installationOf(options), namesOf(providers), options)
    : [{ name: options.leaderElectName }];

const leaderElectionOf = (
  providers: readonly ProviderV1[],
  options: ManagerOptions,
  client: Client,
  view: View,
): LeaderElection => {
  const namespace = systemNamespaceOf(options);
  return {
    client,
    namespace,
    name: leaseMarks(providers, options),
    ...(options.leaderElectName === undefined && { isRival: isRivalOf(namesOf(providers), options) }),
    leaseDurationMs: options.leaseDurationMs,
    renewDeadlineMs: options.renewDeadlineMs,
    retryPeriodMs: options.retryPeriodMs,
    onWaiting: (holder, name) =>
      view.say({
        type: "standby",
        text: `${holder ?? "another manager"} holds Lease ${namespace}/${name}; waiting to take over ${options.leaseDurationMs / 1000} s after its last renewal`,
        fields: { namespace, name, holder },
      }),
  };
};

/** Connections to the API server. */
interface Lines {
  readonly main: Connection;
  readonly lease: Connection;
}

const wrapped = ({ main, lease }: Lines, { wrapConnection }: ManagerEnvironment): Lines =>
  wrapConnection === undefined ? { main, lease } : { main: wrapConnection(main), lease: wrapConnection(lease) };

const closeLines = async ({ main, lease }: Lines): Promise<void> => {
  await Promise.all([main.close(), lease.close()]);
};

/** Connects, installs what is asked for, checks what is needed and starts. Rejects with what is in the way. */
export const startManager = async (
  options: ManagerOptions,
  environment: ManagerEnvironment,
): Promise<StartedManager> => {
  const { clock, access, signal } = environment;
  const { defaultCredentials = { namespaces: [] } } = options;
  const guard = addressGuard({ allowed: options.allowedAddresses ?? [] });
  const outside = outsideOf({ ...environment, defaultCredentials, guard });
  const { setOptions: settings = [] } = options;
  const providers = await createProviders(options.providers, outside, { settings });
  const stores = await createObjectStores(options.objectStores, outside, { settings });
  checkConcurrency(options, providers);
  if (options.leaderElect) checkTimes(options);
  const metrics = createMetrics();
  const onAnswer = requestMetrics(metrics);
  const lines = wrapped(
    // The Lease has a connection of its own, so that it is renewed however busy the controllers are.
    { main: connect({ access, clock, onAnswer }), lease: connect({ access, clock, onAnswer, connections: 1 }) },
    environment,
  );
  try {
    const client = createClient(patientConnection(lines.main, environment.view));
    const systemNamespace = systemNamespaceOf(options);
    const webhooks = webhookOptions(options, systemNamespace);
    const installation = { ...options, ...environment, systemNamespace, webhooks };
    if (options.install) await applyInstallation(client, providers, installation);
    else await checkRelease(client, { systemNamespace, installation: installationOf(options) }, signal);
    await requireKinds(client, providers, environment);
    const extra = options.diagnostics === undefined || options.insecureDiagnostics ? [] : diagnosticsPermissions;
    const leases = options.leaderElect ? leaseMarks(providers, options) : [];
    await requirePermissions(client, providers, { ...options, systemNamespace, leases, extra }, { signal });
    const manager = compose({ providers, stores }, options, { ...environment, guard }, lines, metrics);
    removeOlderOnceLeading(manager, providers, options, environment);
    return run(manager, namesOf(providers), environment, lines);
  } catch (error) {
    await closeLines(lines);
    throw error;
  }
};

const compose = (
  { providers, stores }: { readonly providers: readonly ProviderV1[]; readonly stores: readonly ObjectStoreOpener[] },
  options: ManagerOptions,
  { clock, random, log, view, proxyFor, guard }: ManagerEnvironment & { readonly guard: AddressGuard },
  lines: Lines,
  metrics: Manager["metrics"],
): Manager => {
  const { bootstrapTimeoutMs, namespaces, watchFilter, concurrency, syncPeriodMs } = options;
  const systemNamespace = systemNamespaceOf(options);
  const client = createClient(lines.main);
  const place = { client, clock, systemNamespace, installation: installationOf(options) };
  const manager = composeManager(providers, {
    stores,
    connection: lines.main,
    clock,
    random,
    log,
    metrics,
    proxyFor,
    guard,
    bootstrapTimeoutMs,
    references: policyOf(options.references, markedReferences(readReferenceKey(client, place), clock)),
    ...(namespaces.length > 0 && { namespaces }),
    tuning: {
      concurrency: concurrencyOf(concurrency, providers),
      syncPeriodMs,
      ...(watchFilter !== undefined && { watchFilter }),
    },
    ...(options.leaderElect && {
      leaderElection: leaderElectionOf(providers, options, createClient(lines.lease), view),
    }),
  });
  const webhooks = webhookOptions(options, systemNamespace);
  const asked = options.references === "any" ? undefined : askedReferences(providers, client, place);
  const ready =
    webhooks === undefined
      ? {}
      : { webhooks: addWebhooks(manager, providers, webhooks, webhookCertificate(webhooks, place), asked) };
  addDiagnostics(manager, options, { view, ready });
  addHealth(manager, options, { view, ready });
  return manager;
};

/** Delay before the retry of a failed removal, in milliseconds. */
const removalRetryMs = 60_000;

/** Removes what managers of older releases left once this manager leads in their place and nothing uses it. */
const removeOlderOnceLeading = (
  manager: Manager,
  providers: readonly ProviderV1[],
  options: ManagerOptions,
  { clock, log }: ManagerEnvironment,
): void => {
  if (!options.leaderElect || options.leaderElectName !== undefined) return;
  const managers = {
    ...options,
    installation: installationOf(options),
    systemNamespace: systemNamespaceOf(options),
    providers: namesOf(providers),
  };
  const isServing = webhookOptions(options, managers.systemNamespace) !== undefined;
  const remove = async (signal: AbortSignal): Promise<void> => {
    const older = await findOlder(manager.client, managers, signal, isServing ? "configurations" : "leases");
    const removed = [
      ...(isServing ? await removeOlderConfigurations(manager.client, older, managers, signal) : []),
      ...(await removeOlderState(manager.client, older, managers, signal)),
    ];
    if (removed.length > 0) log.info("removed leftovers of an earlier release", { removed });
  };
  manager.addRunnable({
    name: "older-release",
    needsLeader: true,
    run: async ({ signal }) => {
      for (;;) {
        try {
          return await remove(signal);
        } catch (error) {
          if (signal.aborted) return;
          log.warn("cannot remove leftovers of an earlier release; retrying in a minute", { error });
          await clock.sleep(removalRetryMs, { signal }).catch(() => undefined);
          if (signal.aborted) return;
        }
      }
    },
  });
};

const run = (
  manager: Manager,
  providers: readonly string[],
  { view }: ManagerEnvironment,
  lines: Lines,
): StartedManager => {
  const stopping = new AbortController();
  const ended = manager.run({ signal: stopping.signal });
  ended.catch(() => undefined);
  manager.ready().then(
    () => view.say({ type: "ready", text: `providers ${providers.join(", ")} run`, fields: { providers } }),
    () => undefined,
  );
  return {
    manager,
    ended,
    stop: async () => {
      stopping.abort();
      await ended.catch(() => undefined);
      await closeLines(lines);
    },
  };
};

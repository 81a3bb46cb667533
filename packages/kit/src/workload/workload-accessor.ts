import { CapstanError, clusterSecretType, isCapstanError, Label, SecretPurpose } from "@capstan/contract";
import type { AddressGuard, Logger, ProxyFor } from "@capstan/contract";
import { NodeResource, SecretResource, clusterSecretName, clusterSecretProblem, valueAt } from "@capstan/contract/wire";
import { createCache, createClient } from "@capstan/kube";
import type { Client, Connection, Informer } from "@capstan/kube";
import { type ObjectKey, fromBase64, keyText } from "@capstan/kube-values";
import { parseKubeconfig } from "@capstan/pki";
import type { Environment } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { AccountAccess, type AccountConnections, nodesAccount } from "./account-access.ts";
import { kubeconfigConnection } from "./kubeconfig-connection.ts";
import type { WorkloadAccount } from "./workload-account.ts";
import { nodeByProviderID } from "./workload-clusters.ts";
import type { WorkloadCluster, WorkloadEvent, WorkloadState } from "./workload-clusters.ts";

/** The longest wait between attempts to connect. */
const connectRetryMs = 30_000;
/**
 * The wait after an attempt that failed, by the number of attempts before it: a control plane that has just booted is found within a
 * third of the time it took, and one that stays away costs two attempts a minute.
 */
const connectRetryAfter = (attempts: number): number => Math.min(connectRetryMs, 500 * 1.3 ** attempts);
const probeIntervalMs = 10_000;
const probeTimeoutMs = 5000;
const syncTimeoutMs = 10_000;
const failuresUntilDisconnect = 5;
/** Requests of one process to one workload cluster. Upstream's limit for management APIs: its 20 and 30 make 1,000 Machines wait for minutes. */
const requestLimit = { perSecond: 100, burst: 200 };

type Cache = ReturnType<typeof createCache>;

interface Live extends WorkloadCluster {
  readonly cache: Cache;
  /** As each account works with it. */
  accounts: ReadonlyMap<string, WorkloadCluster>;
  isPlain: boolean;
  readonly connection: Connection;
  readonly stop: AbortController;
  /** Version of the kubeconfig Secret it was made from. */
  readonly version: string;
}

export interface AccessorOptions {
  readonly cluster: Required<ObjectKey>;
  readonly environment: Environment;
  readonly emit: (event: WorkloadEvent) => void;
  readonly proxyFor: ProxyFor;
  readonly guard: AddressGuard | undefined;
  /** As whom requests are to be made, by now. */
  readonly accounts: () => readonly WorkloadAccount[];
  /** Called whenever the cluster is found to permit no accounts. */
  readonly onPlainAccess: () => void;
}

const providerIDsOf = (node: KubeObject): readonly string[] => {
  const id = valueAt(node, "spec.providerID");
  return typeof id === "string" && id !== "" ? [id] : [];
};

/** After a restart it is unknown whether it existed. */
const missingText = (secret: string, wasThere: boolean): string =>
  wasThere
    ? `${secret} was deleted; restore it`
    : `${secret} does not exist; the control plane creates it, or restore it if it was deleted`;

const versionOf = (secret: KubeObject): string =>
  `${secret.metadata.uid ?? ""}/${secret.metadata.resourceVersion ?? ""}`;

/** The connection to one workload cluster: established in the background, probed, and replaced when its kubeconfig changes. */
export class WorkloadAccessor {
  /** When the scheduler has to come by again, in milliseconds since the epoch. */
  dueAt = 0;
  /** The scheduler's visit is under way; there is never a second one. */
  busy = false;
  readonly cluster: Required<ObjectKey>;
  readonly #environment: Environment;
  readonly #emit: (event: WorkloadEvent) => void;
  readonly #proxyFor: ProxyFor;
  readonly #guard: AddressGuard | undefined;
  readonly #log: Logger;
  readonly #access: AccountAccess;
  #live: Live | undefined;
  #lastProbeSuccess: number | undefined;
  #failures = 0;
  #attempts = 0;
  #message = "not tried yet";
  #problem: string | undefined;
  /** This process has read the Secret. */
  #hadSecret = false;

  constructor({ cluster, environment, emit, proxyFor, guard, ...options }: AccessorOptions) {
    this.cluster = cluster;
    this.#environment = environment;
    this.#emit = emit;
    this.#proxyFor = proxyFor;
    this.#guard = guard;
    this.#log = environment.log.child({ cluster: keyText(cluster) });
    this.#access = new AccountAccess({ ...options, clock: environment.clock, log: this.#log });
  }

  get connection(): WorkloadCluster | undefined {
    return this.#live;
  }

  /** The same, as an account works with it. */
  connectionAs(account: string): WorkloadCluster | undefined {
    return this.#live?.accounts.get(account);
  }

  /** There are more of them, or they may do more: the next visit sets them up. */
  accountsChanged(): void {
    this.#access.changed();
  }

  get state(): WorkloadState {
    return {
      connected: this.#live !== undefined,
      lastProbeSuccess: this.#lastProbeSuccess,
      consecutiveFailures: this.#failures,
      message: this.#live === undefined ? this.#message : "",
      ...(this.#live === undefined && this.#problem !== undefined && { problem: this.#problem }),
    };
  }

  /** The name of the Secret with the kubeconfig. */
  get secretName(): string {
    return clusterSecretName(this.cluster.name, SecretPurpose.kubeconfig);
  }

  /** Connects, or probes what is connected; never throws. Sets when to come by again. */
  async visit(signal: AbortSignal): Promise<void> {
    const { clock } = this.#environment;
    this.dueAt = Number.POSITIVE_INFINITY;
    try {
      if (this.#live !== undefined && this.#isOutdated(this.#live.version)) this.disconnect("the kubeconfig changed");
      if (this.#live === undefined) await this.#connect(signal);
      else {
        await this.#probe(this.#live);
        if (this.#access.isDue) await this.#renewAccounts(signal);
      }
    } catch (error) {
      this.#message = isCapstanError(error) ? error.message : "an unexpected error happened";
      this.#log.debug("cannot connect to the workload cluster", { error });
      this.#note(problemIn(error));
    }
    this.#attempts = this.#live === undefined ? this.#attempts + 1 : 0;
    const waitMs = this.#live === undefined ? connectRetryAfter(this.#attempts - 1) : probeIntervalMs;
    // Someone may have asked for an earlier visit meanwhile.
    this.dueAt = Math.min(this.dueAt, clock.now() + waitMs);
  }

  /** Tells everyone once of what somebody has to fix. */
  #note(problem: string | undefined): void {
    const isNew = problem !== undefined && problem !== this.#problem;
    this.#problem = problem;
    if (!isNew) return;
    this.#log.warn("cannot connect to the workload cluster", { message: problem });
    this.#emit({ type: "probe-failed", cluster: this.cluster });
  }

  disconnect(message: string): void {
    const live = this.#live;
    if (live === undefined) return;
    this.#live = undefined;
    this.#message = message;
    live.stop.abort(new DOMException("the workload cluster is disconnected", "AbortError"));
    live.connection.close().catch((error: unknown) => this.#log.debug("a connection did not close", { error }));
    this.#log.info("disconnected from the workload cluster", { message });
    this.#emit({ type: "disconnected", cluster: this.cluster });
  }

  #isOutdated(version: string): boolean {
    const secret = this.#environment.cache.get(SecretResource, this.#secretKey());
    return secret !== undefined && versionOf(secret) !== version;
  }

  #secretKey(): Required<ObjectKey> {
    return { namespace: this.cluster.namespace, name: this.secretName };
  }

  async #connect(signal: AbortSignal): Promise<void> {
    const { clock, log, random } = this.#environment;
    const { connection, version } = await this.#open(signal);
    const stop = new AbortController();
    try {
      await this.#ask(createClient(connection));
      const opened = await this.#access.open(connection, signal);
      const follow = opened.accounts.get(nodesAccount.name) ?? connection;
      const cache = createCache({ connection: follow, random, log });
      const client = createClient(connection, { observer: cache });
      const nodes: Informer = cache.informer(NodeResource);
      nodes.addIndex(nodeByProviderID, providerIDsOf);
      const late = clock.schedule(syncTimeoutMs, () => stop.abort(notSynced()));
      await cache.start({ signal: AbortSignal.any([stop.signal, signal]) }).finally(late);
      nodes.subscribe((event) => this.#emit({ type: "node", cluster: this.cluster, event }));
      const { isPlain } = opened;
      this.#live = {
        client,
        nodes,
        cache,
        connection,
        stop,
        version,
        isPlain,
        accounts: clustersOf(opened, cache, nodes),
      };
    } catch (error) {
      stop.abort(error);
      await connection.close();
      throw error;
    }
    signal.addEventListener("abort", () => stop.abort(signal.reason), { once: true });
    this.#succeeded();
    this.#log.info("connected to the workload cluster");
    this.#emit({ type: "connected", cluster: this.cluster });
  }

  /** For accounts added later, for deleted roles, and for clusters that did not permit accounts so far. */
  async #renewAccounts(signal: AbortSignal): Promise<void> {
    const live = this.#live;
    if (live === undefined) return;
    const opened = await this.#access.open(live.connection, signal);
    if (this.#live !== live) return;
    if (opened.isPlain && !live.isPlain) {
      this.disconnect("its roles cannot be kept");
      this.dueAt = this.#environment.clock.now();
      return;
    }
    const before = live.accounts.size;
    live.isPlain = opened.isPlain;
    live.accounts = clustersOf(opened, live.cache, live.nodes);
    if (live.accounts.size > before) this.#emit({ type: "connected", cluster: this.cluster });
  }

  async #open(signal: AbortSignal): Promise<{ readonly connection: Connection; readonly version: string }> {
    const { cache, client, clock } = this.#environment;
    const key = this.#secretKey();
    // Its appearance brings the next visit.
    const exists = cache.get(SecretResource, key) !== undefined;
    const secret = exists ? await client.find(SecretResource, key, { signal }) : undefined;
    const encoded = secret === undefined ? undefined : valueAt(secret, "data.value");
    this.#hadSecret ||= secret !== undefined;
    if (secret === undefined || typeof encoded !== "string") {
      const where = `Secret ${key.namespace}/${key.name}`;
      const message =
        secret === undefined
          ? missingText(`${where} of type ${clusterSecretType} with the kubeconfig`, this.#hadSecret)
          : `${where} has no key value; set it to the kubeconfig`;
      throw new CapstanError({ code: "workload.kubeconfig_missing", reason: "KubeconfigMissing", message });
    }
    const problem = clusterSecretProblem(secret, this.cluster.name);
    if (problem !== undefined) {
      const message = `Secret ${key.namespace}/${key.name} is not used as the kubeconfig of the cluster: ${problem}; create it with the type ${clusterSecretType} and the label ${Label.clusterName}=${this.cluster.name}`;
      throw new CapstanError({ code: "workload.kubeconfig_unusable", reason: "KubeconfigUnusable", message });
    }
    const connection = kubeconfigConnection(parseKubeconfig(fromBase64(encoded)), {
      where: `Secret ${key.namespace}/${key.name}`,
      clock,
      limit: requestLimit,
      proxyFor: this.#proxyFor,
      guard: this.#guard,
    });
    return { connection, version: versionOf(secret) };
  }

  async #probe(live: Live): Promise<void> {
    try {
      await this.#ask(live.client);
      this.#succeeded();
    } catch (error) {
      this.#failures += 1;
      const refused = isCapstanError(error, "kube.unauthorized");
      if (refused || this.#failures >= failuresUntilDisconnect) {
        this.disconnect(refused ? "the credentials of the kubeconfig are rejected" : "it does not respond");
        return;
      }
      this.#emit({ type: "probe-failed", cluster: this.cluster });
    }
  }

  /** Any answer that shows a working API server and working credentials will do. */
  async #ask(client: Client): Promise<void> {
    try {
      await client.request({ method: "GET", path: "/", timeoutMs: probeTimeoutMs });
    } catch (error) {
      if (!isCapstanError(error, "kube.not_found") && !isCapstanError(error, "kube.forbidden")) throw error;
    }
  }

  #succeeded(): void {
    this.#failures = 0;
    this.#problem = undefined;
    this.#lastProbeSuccess = this.#environment.clock.now();
  }
}

/** Refusals of ours, which no further attempt gets past. */
const refusals = ["runtime.address_refused", "workload.kubeconfig_unusable"];

const problemIn = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  return isCapstanError(error) && refusals.includes(error.code) ? error.message : problemIn(error.cause);
};

const clustersOf = (
  { accounts }: AccountConnections,
  cache: Cache,
  nodes: Informer,
): ReadonlyMap<string, WorkloadCluster> =>
  new Map(
    [...accounts].map(([name, connection]) => [name, { client: createClient(connection, { observer: cache }), nodes }]),
  );

const notSynced = (): CapstanError =>
  new CapstanError({
    code: "workload.nodes_not_listed",
    reason: "NodesNotListed",
    message: `its Nodes could not be listed within ${syncTimeoutMs / 1000} s`,
  });

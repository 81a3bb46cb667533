import { SecretPurpose, type AddressGuard, type ProxyFor } from "@capstan/contract";
import { ClusterResource, SecretResource } from "@capstan/contract/wire";
import { type ObjectKey, keyText, keyOf } from "@capstan/kube-values";
import type { Environment, Manager } from "@capstan/runtime";
import { canonicalJson } from "@capstan/schema";
import type { WorkloadAccount, WorkloadPermission } from "./workload-account.ts";
import { WorkloadAccessor } from "./workload-accessor.ts";
import type { WorkloadCluster, WorkloadClusters, WorkloadEvent, WorkloadState } from "./workload-clusters.ts";
import { unreachable, workloadClusters } from "./workload-clusters.ts";

const secretSuffix = `-${SecretPurpose.kubeconfig}`;

const clusterIsGone = "the Cluster is gone";
const managerStops = "the manager stops";

/** All workload clusters of a manager: one accessor each, visited by one scheduler. */
class ConnectedClusters implements WorkloadClusters {
  readonly #environment: Environment;
  readonly #proxyFor: ProxyFor;
  readonly #guard: AddressGuard | undefined;
  readonly #accessors = new Map<string, WorkloadAccessor>();
  readonly #listeners = new Set<(event: WorkloadEvent) => void>();
  /** Permissions of each account, by their text. */
  readonly #permissions = new Map<string, Map<string, WorkloadPermission>>();
  readonly #declared = new WeakSet<WorkloadAccount>();
  readonly #views = new Map<string, WorkloadClusters>();
  readonly #onPlainAccess: () => void;
  #signal: AbortSignal | undefined;
  /** When the timer goes off, in milliseconds since the epoch. */
  #armedFor = Number.POSITIVE_INFINITY;
  #cancelTimer: () => void = () => undefined;

  constructor(environment: Environment, proxyFor: ProxyFor, guard: AddressGuard | undefined) {
    this.#environment = environment;
    this.#proxyFor = proxyFor;
    this.#guard = guard;
    const plain = environment.metrics.counter(
      "capstan_workload_plain_access_total",
      "Connections to workload clusters without accounts: requests use the rights of the kubeconfig.",
    );
    this.#onPlainAccess = () => plain.inc();
  }

  connection(cluster: ObjectKey): WorkloadCluster | undefined {
    return this.#accessor(cluster).connection;
  }

  get(cluster: ObjectKey): WorkloadCluster {
    const accessor = this.#accessor(cluster);
    if (accessor.connection !== undefined) return accessor.connection;
    throw unreachable(cluster, accessor.state.message);
  }

  as(account: WorkloadAccount): WorkloadClusters {
    const { name } = account;
    if (!this.#declared.has(account)) this.#permit(account);
    this.#declared.add(account);
    const view = this.#views.get(name) ?? this.#viewAs(name);
    this.#views.set(name, view);
    return view;
  }

  state(cluster: ObjectKey): WorkloadState {
    return this.#accessor(cluster).state;
  }

  lastProbeSuccess(cluster: ObjectKey): number | undefined {
    return this.state(cluster).lastProbeSuccess;
  }

  subscribe(listener: (event: WorkloadEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  prepare(): void {
    this.#environment.cache.informer(ClusterResource);
    this.#environment.cache.informer(SecretResource);
  }

  /** Visits every accessor when it is due, until the signal is aborted. */
  async run({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    const { cache } = this.#environment;
    this.#signal = signal;
    const stops = [
      cache.informer(ClusterResource).subscribe(({ type, object }) => {
        if (type === "deleted") this.#drop(keyText(keyOf(object)));
      }),
      cache.informer(SecretResource).subscribe(({ object }) => this.#secretChanged(keyOf(object))),
    ];
    this.#arm(this.#environment.clock.now());
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
    this.#cancelTimer();
    for (const stop of stops) stop();
    for (const accessor of this.#accessors.values()) accessor.disconnect(managerStops);
    this.#accessors.clear();
  }

  /** Creates new accounts in every cluster that is already connected. */
  #permit({ name, permissions }: WorkloadAccount): void {
    const known = this.#permissions.get(name) ?? new Map<string, WorkloadPermission>();
    const before = known.size;
    for (const permission of permissions) known.set(canonicalJson(permission), permission);
    if (known.size === before) return;
    this.#permissions.set(name, known);
    for (const accessor of this.#accessors.values()) {
      accessor.accountsChanged();
      this.#visitSoon(accessor);
    }
  }

  #viewAs(name: string): WorkloadClusters {
    const connection = (cluster: ObjectKey): WorkloadCluster | undefined => this.#accessor(cluster).connectionAs(name);
    return {
      connection,
      get: (cluster) => {
        const found = connection(cluster);
        if (found === undefined) {
          throw unreachable(cluster, this.state(cluster).message || "its roles are being created");
        }
        return found;
      },
      as: (account) => this.as(account),
      state: (cluster) => this.state(cluster),
      lastProbeSuccess: (cluster) => this.lastProbeSuccess(cluster),
      subscribe: (listener) => this.subscribe(listener),
    };
  }

  #accessor(cluster: ObjectKey): WorkloadAccessor {
    const name = keyText(cluster);
    const known = this.#accessors.get(name);
    if (known !== undefined) return known;
    const created = new WorkloadAccessor({
      cluster: { namespace: cluster.namespace ?? "", name: cluster.name },
      environment: this.#environment,
      emit: (event) => this.#notify(event),
      proxyFor: this.#proxyFor,
      guard: this.#guard,
      accounts: () =>
        [...this.#permissions].map(([account, permissions]) => ({
          name: account,
          permissions: [...permissions.values()],
        })),
      onPlainAccess: this.#onPlainAccess,
    });
    this.#accessors.set(name, created);
    this.#visitSoon(created);
    return created;
  }

  #drop(name: string): void {
    this.#accessors.get(name)?.disconnect(clusterIsGone);
    this.#accessors.delete(name);
  }

  /** A kubeconfig that appeared or changed is tried at once. */
  #secretChanged({ namespace, name }: Required<ObjectKey>): void {
    if (!name.endsWith(secretSuffix)) return;
    const accessor = this.#accessors.get(keyText({ namespace, name: name.slice(0, -secretSuffix.length) }));
    if (accessor !== undefined) this.#visitSoon(accessor);
  }

  #visitSoon(accessor: WorkloadAccessor): void {
    accessor.dueAt = this.#environment.clock.now();
    this.#arm(accessor.dueAt);
  }

  /** One timer for all: it goes off when the first accessor is due. */
  #arm(dueAt: number): void {
    const { clock } = this.#environment;
    const signal = this.#signal;
    if (signal === undefined || signal.aborted || this.#armedFor <= dueAt) return;
    this.#cancelTimer();
    this.#armedFor = dueAt;
    this.#cancelTimer = clock.schedule(Math.max(0, dueAt - clock.now()), () => this.#visitDue(signal));
  }

  #visitDue(signal: AbortSignal): void {
    const now = this.#environment.clock.now();
    this.#armedFor = Number.POSITIVE_INFINITY;
    let next = Number.POSITIVE_INFINITY;
    for (const accessor of this.#accessors.values()) {
      if (accessor.busy) continue;
      if (accessor.dueAt <= now) void this.#visit(accessor, signal);
      else next = Math.min(next, accessor.dueAt);
    }
    if (next < Number.POSITIVE_INFINITY) this.#arm(next);
  }

  /** Not awaited: a cluster that hangs must not block others. */
  async #visit(accessor: WorkloadAccessor, signal: AbortSignal): Promise<void> {
    accessor.busy = true;
    await accessor.visit(signal);
    accessor.busy = false;
    // It may have gone away while it was connecting, or the manager ends, as in an outage of the management API.
    const isKept = this.#accessors.get(keyText(accessor.cluster)) === accessor;
    if (isKept) this.#arm(accessor.dueAt);
    else accessor.disconnect(signal.aborted ? managerStops : clusterIsGone);
  }

  #notify(event: WorkloadEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        this.#environment.log.error("a listener of workload clusters failed", { error });
      }
    }
  }
}

/**
 * Plugs access to workload clusters into a manager, under the key `workloadClusters`. Call it before `run`. `proxyFor`: the HTTP proxy on
 * the way to a cluster whose kubeconfig names none; default none. `guard`: watches over where kubeconfigs lead; default: anywhere.
 */
export const installWorkloadClusters = (
  manager: Manager,
  {
    proxyFor = () => undefined,
    guard,
  }: { readonly proxyFor?: ProxyFor; readonly guard?: AddressGuard | undefined } = {},
): WorkloadClusters => {
  const clusters = new ConnectedClusters(manager, proxyFor, guard);
  manager.provide(workloadClusters, clusters);
  manager.addRunnable({
    name: "workload-clusters",
    prepare: () => clusters.prepare(),
    run: (options) => clusters.run(options),
  });
  return clusters;
};

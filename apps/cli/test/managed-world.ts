import { createApiServer, type ApiServer } from "@capstan/apiserver";
import { Secret, silentLogger, type Clock, type Logger, type ProxyFor, type Random } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { ClusterResource, MachineResource, valueAt } from "@capstan/contract/wire";
import type { GuestHost } from "@capstan/guest";
import { createSimulation, type LinodeSimulation, type LinodeSimulator } from "@capstan/sim-linode";
import {
  connect,
  createCache,
  createClient,
  directAccess,
  type Access,
  type Client,
  type HttpRequest,
  type Connection,
  type WatchCache,
} from "@capstan/kube";
import { parseKubeconfig } from "@capstan/pki";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import type { FakeClock } from "@capstan/testing";
import { openDataFolder, silentView } from "../src/embedded-up.ts";
import { applyInstallation } from "../src/install/apply-installation.ts";
import { loopback } from "../src/cluster/address-flags.ts";
import type { ManagerOptions } from "../src/cluster/manager-options.ts";
import { startManager, type StartedManager } from "../src/manager/start-manager.ts";
import { parseManifest } from "../src/manifest/read-manifests.ts";
import { objectStoreNames } from "../src/modules/object-stores.ts";
import { outsideOf } from "../src/modules/outside.ts";
import { createProviders, providerNames } from "../src/modules/providers.ts";
import type { View } from "../src/view/view.ts";
import { applyManifests } from "../src/up/apply.ts";
import { simulationOutside } from "../src/up/simulations.ts";
import { providerExtensions } from "../src/webhooks/local-webhooks.ts";

export const names = ["core", "bootstrap-kubeadm", "infra-linode"] as const;

const variables = (): undefined => undefined;

/** For providers of which only what they say of themselves is asked. */
export const nothingOutside = outsideOf({ clock: systemClock, random: cryptoRandom, log: silentLogger, variables });

/** What `capstan manager` takes when nothing is said, without diagnostics. */
export const managerDefaults: ManagerOptions = {
  kubeconfig: undefined,
  context: undefined,
  providers: providerNames,
  objectStores: objectStoreNames,
  namespaces: [],
  watchFilter: undefined,
  allowedAddresses: loopback,
  concurrency: {},
  syncPeriodMs: 600_000,
  bootstrapTimeoutMs: undefined,
  leaderElect: true,
  leaderElectName: undefined,
  leaseDurationMs: 15_000,
  renewDeadlineMs: 10_000,
  retryPeriodMs: 2_000,
  systemNamespace: undefined,
  diagnostics: undefined,
  insecureDiagnostics: false,
  tlsCertFile: undefined,
  tlsPrivateKeyFile: undefined,
  install: false,
  webhookUrl: undefined,
  webhookService: undefined,
  webhookPort: undefined,
  output: "text",
  logLevel: "silent",
};

type Installation = Parameters<typeof applyInstallation>[2];

type WorldServer = Pick<ApiServer, "url" | "caCertificate" | "adminKubeconfig" | "stop">;

/** An API server without any provider, and a simulated Linode beside it. */
export interface ManagedWorld extends AsyncDisposable {
  readonly server: WorldServer;
  readonly kubeconfig: string;
  readonly admin: Client;
  readonly adminAccess: Access;
  /** Machines and Clusters, as the administrator sees them. */
  readonly cache: WatchCache;
  readonly simulation: LinodeSimulation;
  readonly simulator: LinodeSimulator;
  /** Applies manifests, given as text, with the variables of the simulation. */
  apply(manifest: string): Promise<void>;
  /** Default: the providers of `names`. */
  install(
    options?: Partial<
      Pick<Installation, "namespaces" | "serviceAccount" | "systemNamespace" | "webhooks" | "installation" | "remove">
    > & {
      readonly providers?: readonly ProviderV1[];
    },
  ): Promise<void>;
  tokenOf(account: string): Promise<string>;
  /** Access of a ServiceAccount in the system namespace, by a token of its own. */
  accessOf(account: string): Promise<Access>;
  start(
    options: Partial<ManagerOptions>,
    environment: {
      readonly access: Access;
      readonly view?: View;
      readonly wrapConnection?: (connection: Connection) => Connection;
      readonly proxyFor?: ProxyFor;
      readonly variables?: (name: string) => string | undefined;
    },
  ): Promise<StartedManager>;
  /** Why managers ended that no one stopped. */
  readonly failures: readonly unknown[];
  /** How many Machines run. Throws when a manager ended. */
  running(): number;
}

const embeddedServer = async ({
  clock,
  random,
  pass,
}: Parameters<typeof createManagedWorld>[0]): Promise<ApiServer> => {
  const extensions = providerExtensions(await createProviders(providerNames, nothingOutside));
  const server = createApiServer({ clock, random, extensions });
  await pass(server.start());
  return server;
};

/** Everything that is awaited continues while `pass` moves the clock; on real time it does nothing. */
export const createManagedWorld = async (environment: {
  readonly clock: Clock;
  readonly random: Random;
  readonly log?: Logger;
  readonly pass: <T>(work: Promise<T>) => Promise<T>;
  /** Default: an embedded one. */
  readonly server?: WorldServer;
}): Promise<ManagedWorld> => {
  const { clock, random, log = silentLogger, pass } = environment;
  const data = openDataFolder("", { temporary: true });
  const server = environment.server ?? (await embeddedServer(environment));
  const guests: GuestHost[] = [];
  const simulation = await createSimulation(simulationOutside({ clock, random, log, data }, guests));
  await pass(simulation.start());
  const adminKubeconfig = await server.adminKubeconfig();
  const { clientCertificate = "", clientKey = "" } = parseKubeconfig(adminKubeconfig);
  const place = { url: server.url, ca: server.caCertificate };
  const adminAccess = directAccess({ ...place, clientCertificate, clientKey: new Secret(clientKey) });
  const connection = connect({ access: adminAccess, clock });
  const cache = createCache({ connection, random });
  const admin = createClient(connection);
  const stopping = new AbortController();
  const { signal } = stopping;
  const managers: StartedManager[] = [];
  const failures: unknown[] = [];
  const tokenOf = async (account: string): Promise<string> => {
    const { status } = await admin.request<{ readonly status: { readonly token: string } }>({
      method: "POST",
      path: `/api/v1/namespaces/capstan-system/serviceaccounts/${account}/token`,
      body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: 7200 } },
    });
    return status.token;
  };
  return {
    server,
    kubeconfig: data.writeSecret("kubeconfig", adminKubeconfig),
    admin,
    adminAccess,
    cache,
    simulation,
    simulator: simulation.simulator,
    apply: async (manifest) => {
      const objects = parseManifest(manifest, "manifest", (name) => simulation.variables[name]);
      await pass(applyManifests(objects, { client: admin, clock, signal, namespace: "default" }));
    },
    install: async ({ namespaces = [], providers, ...more } = {}) => {
      const installed = providers ?? (await createProviders(names, nothingOutside));
      const options = {
        systemNamespace: undefined,
        watchFilter: undefined,
        namespaces,
        clock,
        view: silentView,
        signal,
      };
      await pass(applyInstallation(admin, installed, { ...options, ...more }));
      cache.informer(MachineResource);
      cache.informer(ClusterResource);
      await pass(cache.start({ signal }));
    },
    tokenOf,
    accessOf: async (account) => directAccess({ ...place, token: new Secret(await tokenOf(account)) }),
    start: async (options, extra) => {
      const started = await pass(
        startManager(
          { ...managerDefaults, ...options },
          { clock, random, log, view: silentView, variables, signal, ...extra },
        ),
      );
      managers.push(started);
      started.ended.catch((error: unknown) => failures.push(error));
      return started;
    },
    failures,
    running: () => {
      if (failures.length > 0) throw failures[0];
      return cache.list(MachineResource).filter((machine) => valueAt(machine, "status.phase") === "Running").length;
    },
    [Symbol.asyncDispose]: async () => {
      for (const manager of managers) await pass(manager.stop());
      stopping.abort();
      await connection.close();
      await pass(simulation.stop());
      for (const guest of guests) await pass(guest.stop());
      await pass(server.stop());
      data.close();
    },
  };
};

/** Moves a virtual clock until some work is done. The shorter the steps, the more real work fits into virtual time. */
export const passingOn =
  (clock: FakeClock, stepMs = 50) =>
  async <T>(work: Promise<T>): Promise<T> => {
    let over = false;
    void work.then(
      () => (over = true),
      () => (over = true),
    );
    await clock.advanceUntil(() => over, { stepMs, maxMs: 300_000 });
    return work;
  };

export interface SeenRequest {
  readonly verb: string;
  readonly group: string;
  /** With its subresource. */
  readonly resource: string;
  readonly namespace: string;
  readonly status: number;
}

const pathOf = /^\/(?:api\/v1|apis\/([^/]+)\/[^/]+)(?:\/namespaces\/([^/]+))?\/([a-z]+)(?:\/([^/]+))?(?:\/([a-z]+))?$/;

const verbs = { POST: "create", PUT: "update", PATCH: "patch", DELETE: "delete" } as const;

/** What a request is to the API server's authorization; `undefined` for discovery and the like. */
const seen = ({ method, path }: HttpRequest, status: number): SeenRequest | undefined => {
  const url = new URL(path, "https://server");
  const [, group = "", namespace = "", plural, name, subresource] = pathOf.exec(url.pathname) ?? [];
  if (plural === undefined) return undefined;
  const read = name === undefined ? (url.searchParams.get("watch") === "true" ? "watch" : "list") : "get";
  return {
    verb: method === "GET" ? read : verbs[method],
    group,
    resource: subresource === undefined ? plural : `${plural}/${subresource}`,
    namespace,
    status,
  };
};

/** Shows what a manager asks of the API server. An apply that creates is two requests to the authorization. */
export const recording =
  (onRequest: (request: SeenRequest) => void) =>
  (connection: Connection): Connection => {
    const report = (request: HttpRequest, status: number): void => {
      const what = seen(request, status);
      if (what === undefined) return;
      onRequest(what);
      if (what.verb === "patch" && status === 201) onRequest({ ...what, verb: "create" });
    };
    return {
      url: connection.url,
      clock: connection.clock,
      send: async (request) => {
        const answer = await connection.send(request);
        report(request, answer.status);
        return answer;
      },
      open: async (request) => {
        const stream = await connection.open(request);
        report(request, stream.status);
        return stream;
      },
      upgrade: (request) => connection.upgrade(request),
      close: () => connection.close(),
    };
  };

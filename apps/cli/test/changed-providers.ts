import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createApiServer } from "@capstan/apiserver";
import type { ProviderV1 } from "@capstan/contract/v1";
import { MachineDeploymentResource, SecretResource, NamespaceResource } from "@capstan/contract/wire";
import { createMetrics, cryptoRandom, systemClock } from "@capstan/runtime";
import {
  createWebhookServer,
  plannedSecretCertificate,
  secretCertificate,
  WebhookPath,
} from "@capstan/runtime/webhook";
import { apiVersionOf, type KubeObject } from "@capstan/schema";
import { freePort } from "@capstan/testing";
import { LeaseResource } from "../src/install/owned-kinds.ts";
import type { ManagerOptions } from "../src/cluster/manager-options.ts";
import type { StartedManager } from "../src/manager/start-manager.ts";
import { createProviders } from "../src/modules/providers.ts";
import { configurationKinds } from "../src/webhooks/webhook-clients.ts";
import { webhookManifests } from "../src/webhooks/webhook-manifests.ts";
import { webhookOptions } from "../src/webhooks/webhook-options.ts";
import { createManagedWorld, nothingOutside, type ManagedWorld } from "./managed-world.ts";

export const systemNamespace = "capstan-system";
export const briefLease = { leaseDurationMs: 6_000, renewDeadlineMs: 5_500, retryPeriodMs: 300 } as const;

/** An API server that knows nothing of the kinds; what the address of the webhooks leads to is moved from one manager to the next. */
export interface RollingWorld extends AsyncDisposable {
  readonly world: ManagedWorld;
  /** Of the webhooks. */
  readonly url: string;
  /** The manager that the address leads to, for connections from now on. */
  route(port: number): void;
  /** Ends the connections that there are: whoever asks next shakes hands again. */
  cut(): void;
}

type WorldEnvironment = Parameters<typeof createManagedWorld>[0];

/** Default: on our own API server, in real time. */
export const createRollingWorld = async (
  given?: WorldEnvironment["server"],
  time: Pick<WorldEnvironment, "clock" | "pass" | "log"> = { clock: systemClock, pass: (work) => work },
): Promise<RollingWorld> => {
  const own = createApiServer({ clock: systemClock, random: cryptoRandom });
  if (given === undefined) await own.start();
  const server = given ?? own;
  const world = await createManagedWorld({ ...time, random: cryptoRandom, server });
  let port = 1;
  const open = new Set<Socket>();
  const cut = (): void => {
    for (const socket of open) socket.destroy();
    open.clear();
  };
  const front = createServer((client) => {
    const behind = connect(port, "127.0.0.1");
    for (const socket of [client, behind]) {
      open.add(socket);
      socket.on("error", () => undefined);
    }
    client.on("close", () => behind.destroy());
    behind.on("close", () => client.destroy());
    client.pipe(behind).pipe(client);
  });
  front.listen(0, "127.0.0.1");
  await once(front, "listening");
  return {
    world,
    url: `https://127.0.0.1:${(front.address() as AddressInfo).port}`,
    route: (to) => {
      port = to;
    },
    cut,
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]();
      cut();
      front.close();
    },
  };
};

export const providersOf = (names: readonly string[]): Promise<readonly ProviderV1[]> =>
  createProviders(names, nothingOutside);

/** Installs as `capstan install --image` does, but for the Deployment. */
export const installAll = async ({ world, url }: RollingWorld, names: readonly string[]): Promise<void> =>
  world.install({
    providers: await providersOf(names),
    serviceAccount: "capstan",
    webhooks: webhookOptions({ webhookUrl: url }, systemNamespace),
  });

/** A manager as in a Pod of the Deployment; `leads` once it does. */
export interface RunningManager {
  readonly started: StartedManager;
  readonly port: number;
  leads: boolean;
}

export const startRunning = async (
  { world, url }: RollingWorld,
  providers: readonly string[],
  diagnosticsPort?: number,
  more: Partial<ManagerOptions> = {},
): Promise<RunningManager> => {
  const port = await freePort();
  const diagnostics = diagnosticsPort === undefined ? undefined : { host: "127.0.0.1", port: diagnosticsPort };
  const started = await world.start(
    { ...briefLease, providers, webhookUrl: url, webhookPort: port, diagnostics, insecureDiagnostics: true, ...more },
    { access: await world.accessOf("capstan") },
  );
  const running: RunningManager = { started, port, leads: false };
  started.manager.ready().then(
    () => (running.leads = true),
    () => undefined,
  );
  return running;
};

const deployment = {
  apiVersion: apiVersionOf(MachineDeploymentResource),
  kind: "MachineDeployment",
  metadata: { namespace: "default", name: "tried" },
  spec: {
    clusterName: "orchid",
    selector: { matchLabels: { app: "tried" } },
    template: {
      metadata: { labels: { app: "tried" } },
      spec: {
        clusterName: "orchid",
        bootstrap: { dataSecretName: "data" },
        infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "LinodeMachineTemplate", name: "a" },
      },
    },
  },
};

/** Why a write of a core kind is refused; `undefined` when it is taken. */
export const refusal = ({ world }: RollingWorld): Promise<string | undefined> =>
  world.admin.create(MachineDeploymentResource, deployment, { dryRun: true }).then(
    () => undefined,
    (error: unknown) => String(error),
  );

/** A manager that ends closes connections, also one on which an API server has just begun to ask; the client retries. */
const isClosed = (why: string): boolean =>
  /\bEOF\b|ECONN|connection (?:reset|refused)|broken pipe|socket (?:disconnected|hang up)|other side closed|closed network connection|closed idle connection/.test(
    why,
  );

/** Writes on and on, and lets between two of them happen what is waiting to; the result tells which writes were refused until then. `anew`: each over connections of its own. */
export const keepWriting = (
  rolling: RollingWorld,
  { anew = false }: { readonly anew?: boolean } = {},
): (() => Promise<readonly string[]>) => {
  const refused: string[] = [];
  let stopped = false;
  let written = 0;
  const writing = (async () => {
    while (!stopped) {
      if (anew) rolling.cut();
      const why = await refusal(rolling);
      if (why !== undefined && !isClosed(why)) refused.push(why);
      if (why === undefined || !isClosed(why)) written += 1;
      await nextTurn();
    }
  })();
  return async () => {
    stopped = true;
    await writing;
    return written === 0 ? ["nothing was written"] : [...new Set(refused)];
  };
};

/** The names of what makes an API server ask webhooks. */
export const configurations = async ({ world }: RollingWorld): Promise<readonly string[]> => {
  const lists = await Promise.all(configurationKinds.map((kind) => world.admin.list(kind)));
  return lists.flatMap(({ items }) => items.map(({ metadata }) => metadata.name ?? ""));
};

/** The names of Secrets and Leases of managers. */
export const systemState = async ({ world }: RollingWorld): Promise<readonly string[]> => {
  const lists = await Promise.all(
    [SecretResource, LeaseResource].map((kind) => world.admin.list<KubeObject>(kind, { namespace: systemNamespace })),
  );
  return lists.flatMap(({ items }) => items.map(({ metadata }) => metadata.name ?? "")).toSorted();
};

/**
 * What an older release installed and runs for some providers: Secret, configurations and Lease named after the list. It serves until
 * it is stopped.
 */
export const startOlder = async (
  rolling: RollingWorld,
  names: readonly string[],
): Promise<{ readonly name: string; renew(): Promise<void>; stop(): Promise<void> }> => {
  const { admin } = rolling.world;
  const name = `capstan-${names.toSorted().join("-")}`;
  const options = webhookOptions({ webhookUrl: rolling.url }, systemNamespace);
  if (options === undefined) throw new Error("there are webhooks");
  const secret = { namespace: systemNamespace, name: `${name}-webhook` };
  const hosts = ["127.0.0.1"];
  if ((await admin.find(NamespaceResource, { name: systemNamespace })) === undefined) {
    await admin.create(NamespaceResource, { apiVersion: "v1", kind: "Namespace", metadata: { name: systemNamespace } });
  }
  const made = await plannedSecretCertificate({ clock: systemClock, secret, hosts });
  await admin.create(SecretResource, made.secret);
  for (const object of webhookManifests(await providersOf(names), options, { caBundle: made.caBundle, name })) {
    const kind = configurationKinds.find((each) => each.kind === object.kind);
    if (kind !== undefined) await admin.create(kind, object);
  }
  const server = createWebhookServer({
    port: await freePort(),
    host: "127.0.0.1",
    certificate: async () => (await secretCertificate({ client: admin, clock: systemClock, secret, hosts })()).serving,
    clock: systemClock,
    metrics: createMetrics(),
  });
  server.mutate(WebhookPath.mutate, () => ({ allowed: true }));
  server.validate(WebhookPath.validate, () => ({ allowed: true }));
  const stop = new AbortController();
  const serving = server.run({ signal: stop.signal });
  await server.started?.();
  rolling.route(server.port);
  const key = { namespace: systemNamespace, name };
  const spec = () => ({
    holderIdentity: "older",
    leaseDurationSeconds: 3,
    renewTime: new Date().toISOString().replace("Z", "000Z"),
  });
  await admin.create(LeaseResource, {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: key,
    spec: spec(),
  });
  return {
    name,
    renew: async () => void (await admin.patch(LeaseResource, key, { type: "merge", body: { spec: spec() } })),
    stop: async () => {
      stop.abort();
      await serving;
    },
  };
};

import { isDeepStrictEqual } from "node:util";
import { CapstanError } from "@capstan/contract";
import type { ControllerV1, PermissionV1, ProviderV1, ServiceKey } from "@capstan/contract/v1";
import { installWorkloadClusters, workloadClusters } from "@capstan/kit/workload";
import type { WorkloadClusters } from "@capstan/kit/workload";
import type { Client, Connection, HttpAnswer } from "@capstan/kube";
import { connect, createClient, loadKubeconfig } from "@capstan/kube";
import type { ApiServer } from "@capstan/apiserver";
import { createApiServer } from "@capstan/apiserver";
import { keyOf } from "@capstan/kube-values";
import type { Manager, Tuning } from "@capstan/runtime";
import { createManager } from "@capstan/runtime";
import type { Kind, KubeObject, Resource } from "@capstan/schema";
import { resource } from "@capstan/schema";
import { crdOf } from "@capstan/schema/manifest";
import type { FakeClock } from "@capstan/testing";
import { recentClock, seededRandom, unchangedReads } from "@capstan/testing";
import { createCoreProvider } from "../src/index.ts";
import { disturbedWorkload } from "./disturbed-calls.ts";
import { providerKinds } from "./provider-kinds.ts";
import { withinPermissions } from "./within-permissions.ts";

const Crds = resource({
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  namespaced: false,
});

/** A call that takes this much virtual time before anything comes of it. */
export interface Slow {
  readonly takesMs: number;
}

/** What becomes of a call: nothing special, its answer is lost, it is slow, or another answer. */
export type Verdict = "lose" | Slow | HttpAnswer | undefined;

const isSlow = (verdict: Verdict): verdict is Slow => typeof verdict === "object" && "takesMs" in verdict;

/** Returns whether an answer takes the place of the call's own. */
export const isAnswer = (verdict: Verdict): verdict is HttpAnswer => typeof verdict === "object" && !isSlow(verdict);

export interface World {
  readonly clock: FakeClock;
  /** The test's own client of the management API. */
  readonly api: Client;
  /** The workload cluster: another API server. */
  readonly workload: Client;
  readonly workloadKubeconfig: string;
  /** Requests of the controllers to the management API, without watches. */
  readonly requests: string[];
  /** What controllers did without permission: each has those that it says it has, and no others. */
  readonly refused: Set<string>;
  /** Calls of the controllers, and doings of others that a test begins and does not wait for, that are not over yet. */
  running: number;
  /**
   * Breaks calls of the controllers: called before each with method and path, `PATCH workload/Node` for one to the workload cluster.
   * Throw to break the connection, return an answer that is none of the API server's (the workload cluster just does not answer), "lose"
   * to lose that one, or how long it takes.
   */
  disturb: (call: string) => Verdict;
  /** While true, the watches of the controllers bring nothing: their caches grow old. */
  blind: boolean;
  /** How often a controller has reconciled since the last start. */
  reconciles(controller: string): Promise<number>;
  /** One set of controllers for each after the next restart; `undefined` is for all objects. */
  watchFilters: readonly (string | undefined)[];
  /** Ends the controllers as a crash would. */
  kill(): Promise<void>;
  /** Ends the controllers as a crash would, and starts them again. */
  restart(): Promise<void>;
  /** Lets time pass until the condition holds. */
  until(condition: () => boolean | Promise<boolean>): Promise<void>;
  /**
   * Lets time pass until the controllers see all objects of a kind as they are at the API server. They hear of different kinds in any order:
   * what a test does afterwards they see later.
   */
  seen(kind: Resource): Promise<void>;
  /** Lets time pass until nothing has been sent for a while. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

const connectionTo = async (server: ApiServer, clock: FakeClock): Promise<Connection> =>
  connect({ access: await loadKubeconfig({ text: await server.adminKubeconfig() }), clock });

const startServer = async (clock: FakeClock): Promise<ApiServer> => {
  const server = createApiServer({ clock, random: seededRandom(7) });
  await server.start();
  return server;
};

/** Versions by uid. */
const versionsOf = (objects: readonly KubeObject[]): ReadonlyMap<string | undefined, string | undefined> =>
  new Map(objects.map(({ metadata }) => [metadata.uid, metadata.resourceVersion]));

/** Who works beside core. */
export interface WorldOptions {
  readonly providers?: (clock: FakeClock) => readonly ProviderV1[];
}

/** What the server refused for want of rights, with the labels that its metrics give requests. */
const refusalsOf = async (connection: Connection): Promise<readonly string[]> => {
  const { body } = await connection.send({ method: "GET", path: "/metrics", headers: {} });
  return body.split("\n").filter((line) => line.startsWith("apiserver_request_total{") && line.includes('code="403"'));
};

/** A management API with the core controllers on it, and a workload cluster beside it, all over real TLS. */
export const startWorld = async (options: WorldOptions = {}): Promise<World> => {
  const clock = recentClock();
  const providers = [createCoreProvider(), ...(options.providers?.(clock) ?? [])];
  const [management, workloadServer] = await Promise.all([startServer(clock), startServer(clock)]);
  const own = await connectionTo(management, clock);
  const remote = await connectionTo(workloadServer, clock);
  const api = unchangedReads(createClient(own), () => management.revision);
  const kinds = providers
    .flatMap((provider) => provider.kinds as readonly Kind[])
    .map((kind) => crdOf(kind, { conversion: { url: "https://127.0.0.1:1/convert" } }));
  const definitions = [...kinds, ...Object.values(providerKinds).map(({ crd }) => crd)];
  for (const definition of definitions) await api.create(Crds, definition);
  const requests: string[] = [];
  let seed = 1;
  let started: readonly StartedControllers[] = [];
  const stopControllers = async (): Promise<void> => void (await Promise.all(started.map(({ stop }) => stop())));
  const world: World = {
    clock,
    api,
    workload: unchangedReads(createClient(remote), () => workloadServer.revision),
    workloadKubeconfig: await workloadServer.adminKubeconfig(),
    requests,
    refused: new Set(),
    running: 0,
    disturb: () => undefined,
    blind: false,
    watchFilters: [undefined],
    kill: stopControllers,
    restart: async () => {
      await world.kill();
      const start = async (watchFilter: string | undefined): Promise<StartedControllers> =>
        startControllers(world, providers, {
          connection: await connectionTo(management, clock),
          seed: seed++,
          tuning: watchFilter === undefined ? {} : { watchFilter },
        });
      started = await Promise.all(world.watchFilters.map(start));
      await Promise.all(started.map(({ manager }) => manager.ready()));
    },
    reconciles: async (controller) => {
      const texts = await Promise.all(started.map(({ manager }) => manager.metrics.text()));
      const counter = new RegExp(`^controller_runtime_reconcile_total\\{controller="${controller}".*\\} (\\d+)$`, "gm");
      return texts.flatMap((text) => [...text.matchAll(counter)]).reduce((sum, [, count]) => sum + Number(count), 0);
    },
    until: (condition) => clock.advanceUntil(condition),
    seen: (kind) =>
      clock.advanceUntil(async () => {
        const present = versionsOf((await api.list(kind)).items);
        return started.every(({ manager: { cache } }) => isDeepStrictEqual(versionsOf(cache.list(kind)), present));
      }),
    settle: async () => {
      let before = -1;
      while (before !== requests.length || world.running > 0) {
        before = requests.length;
        const end = clock.now() + 2000;
        await clock.advanceUntil(() => clock.now() >= end, { stepMs: 50 });
      }
    },
    stop: async () => {
      let stopped = false;
      const stopping = stopControllers().finally(() => {
        stopped = true;
      });
      // Time continues, for calls that take some.
      await clock.advanceUntil(() => stopped);
      await stopping;
      const refused = await refusalsOf(remote);
      await Promise.all([own.close(), remote.close()]);
      await Promise.all([management.stop(), workloadServer.stop()]);
      if (world.refused.size > 0) throw new Error(Array.from(world.refused).join("; "));
      if (refused.length > 0) throw new Error(`the workload cluster refused requests: ${refused.join("; ")}`);
    },
  };
  await world.restart();
  return world;
};

/** All that core may do with the kinds of the providers that tests are. */
const onProviderKinds: readonly PermissionV1[] = Object.values(providerKinds).map(
  ({ resource: { group, plural } }) => ({
    group,
    resource: plural,
    verbs: ["get", "list", "watch", "create", "patch", "delete"],
  }),
);

const controllersOf = (providers: readonly ProviderV1[]): readonly ControllerV1[] => {
  const controllers: ControllerV1[] = [];
  for (const provider of providers) provider.register({ add: (controller) => void controllers.push(controller) });
  return controllers;
};

interface StartedControllers {
  readonly manager: Manager;
  readonly stop: () => Promise<void>;
}

const startControllers = (
  world: World,
  providers: readonly ProviderV1[],
  { connection, seed, tuning }: { readonly connection: Connection; readonly seed: number; readonly tuning: Tuning },
): StartedControllers => {
  const disturbed: Connection = {
    ...connection,
    open: async (request) => {
      const stream = await connection.open(request);
      return { ...stream, body: withheld(world, stream.body) };
    },
    close: () => connection.close(),
    send: async (request) => {
      const name = `${request.method} ${request.path.split("?")[0]}`;
      world.requests.push(name);
      const verdict = world.disturb(name);
      if (isAnswer(verdict)) return verdict;
      return underWay(world, verdict, () => connection.send(request));
    },
  };
  const manager = createManager({ connection: disturbed, clock: world.clock, random: seededRandom(seed), tuning });
  const gated = (key: ServiceKey<unknown>, service: unknown): void =>
    manager.provide(key, key === workloadClusters ? disturbedWorkload(world, service as WorkloadClusters) : service);
  installWorkloadClusters({ ...manager, provide: gated });
  const others = [
    ...onProviderKinds,
    ...controllersOf(providers).flatMap(({ permissions }) => permissions?.core ?? []),
  ];
  for (const controller of controllersOf(providers)) {
    manager.add(withinPermissions(controller, others, (what) => void world.refused.add(what)));
  }
  const stop = new AbortController();
  const running = manager.run({ signal: stop.signal });
  return {
    manager,
    stop: async () => {
      stop.abort(new DOMException("the test is over", "AbortError"));
      await running.catch(() => undefined);
      await connection.close();
    },
  };
};

/** Makes a call that a test knows to be under way, and that is as slow or loses its answer as the verdict says. */
export const underWay = async <T>(
  world: Pick<World, "clock" | "running">,
  verdict: Exclude<Verdict, HttpAnswer>,
  call: () => Promise<T>,
): Promise<T> => {
  world.running += 1;
  try {
    if (isSlow(verdict)) await world.clock.sleep(verdict.takesMs);
    const result = await call();
    if (verdict === "lose") throw unavailable("the answer was lost");
    return result;
  } finally {
    world.running -= 1;
  }
};

type Body = Awaited<ReturnType<Connection["open"]>>["body"];

/** The stream, of which nothing comes through while the world is blind. */
const withheld = (world: World, body: Body): Body => ({
  text: () => body.text(),
  async *[Symbol.asyncIterator]() {
    for await (const chunk of body) {
      while (world.blind) await world.clock.sleep(100);
      yield chunk;
    }
  },
});

/** The error of a connection that broke. */
export const unavailable = (message: string): CapstanError =>
  new CapstanError({ code: "kube.unavailable", reason: "Unavailable", message });

/** Sets status fields, as a provider would. */
export const setStatus = async <T extends KubeObject>(
  { api }: World,
  kind: Resource<T>,
  object: KubeObject,
  status: Readonly<Record<string, unknown>>,
): Promise<T> => api.patch(kind, keyOf(object), { type: "merge", body: { status } }, { subresource: "status" });

/** Sets spec or metadata fields, as a user or a provider would. */
export const set = async <T extends KubeObject>(
  { api }: World,
  kind: Resource<T>,
  object: KubeObject,
  body: Readonly<Record<string, unknown>>,
): Promise<T> => api.patch(kind, keyOf(object), { type: "merge", body });

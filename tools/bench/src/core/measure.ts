import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Child, startChild } from "../child-process.ts";
import { clusterObjects, type ClusterShape } from "../cluster-objects.ts";
import { cpuMs, memoryMiB } from "../process-usage.ts";
import { addRequests, type Requests, writes } from "./audit.ts";
import { type Authorities, authoritySecrets, createAuthorities } from "./cluster-secrets.ts";
import type { Figures } from "./figures.ts";
import { installInfrastructure, Management } from "./management.ts";
import type { Contestant, ManagerProcess } from "./managers.ts";
import { type CoreOptions, machinesOf, type Shape } from "./options.ts";
import { type Histogram, queueWaits } from "./queue-waits.ts";
import { type BenchServer, startServer } from "./server.ts";
import type { StandInOrder } from "./stand-in/process.ts";
import { tailOf, until } from "./until.ts";

const progressMs = 10_000;
const quietWithinMs = 180_000;

const infrastructure = {
  vendor: "Memory",
  version: "v1beta1",
  cluster: {},
  machine: { size: "small" },
  nodeName: "{{ ds.meta_data.local_hostname }}",
} as const;

/** Everything that runs for one measurement. */
interface World {
  readonly options: CoreOptions;
  readonly server: BenchServer;
  readonly standIn: Child;
  readonly managers: readonly ManagerProcess[];
  readonly management: Management;
  readonly clusters: readonly ClusterShape[];
  readonly authorities: Authorities;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

const startStandIn = (server: BenchServer): Promise<Child> =>
  startChild({
    name: "stand-in",
    command: process.execPath,
    args: ["--conditions=@capstan/source", join(import.meta.dirname, "stand-in/process.ts")],
    folder: server.folder,
    messages: true,
  });

const standInReady = async (child: Child, order: StandInOrder, signal: AbortSignal): Promise<void> => {
  let isReady = false;
  child.process.once("message", () => {
    isReady = true;
  });
  child.process.send(order);
  const timeoutMs = 120_000 + order.clusters.length * 2000;
  await until("the infrastructure to be ready", () => isReady, { children: [child], signal, timeoutMs });
};

/** Waits with a line of progress now and then; says why when it takes too long. */
const untilAll = async (world: World, what: string, isSo: () => boolean): Promise<void> => {
  const { management, managers, standIn, options, signal, say } = world;
  const progress = setInterval(() => say(`${what}: ${management.progress}`), progressMs);
  try {
    await until(what, isSo, { children: [...managers, standIn], signal, timeoutMs: options.timeoutMs });
  } catch (error) {
    if (!signal.aborted) say(`${management.progress}\n${management.stuck}`);
    throw error;
  } finally {
    clearInterval(progress);
  }
};

/** Waits until nothing was written for a while; resolves to the requests before that. */
const untilQuiet = async ({ server, options: { quietMs }, signal, say }: World): Promise<Requests> => {
  const taken: Requests[] = [];
  const end = performance.now() + quietWithinMs;
  let quietSince = performance.now();
  while (performance.now() - quietSince < quietMs) {
    if (performance.now() > end) {
      say(`still written after ${quietWithinMs / 1000} s: measured as it is`);
      break;
    }
    await pause(quietMs / 10, undefined, { signal });
    const requests = await server.audit.take();
    taken.push(requests);
    if (writes(requests) > 0) quietSince = performance.now();
  }
  return addRequests(taken);
};

const pidsOf = (processes: readonly { readonly pid: number }[]): readonly number[] => processes.map(({ pid }) => pid);

const cpuSeconds = (world: World): Figures["cpuSeconds"] => ({
  managers: cpuMs(pidsOf(world.managers)) / 1000,
  server: cpuMs(world.server.pids) / 1000,
  standIn: cpuMs([world.standIn.pid]) / 1000,
});

const less = (after: Figures["cpuSeconds"], before: Figures["cpuSeconds"]): Figures["cpuSeconds"] => ({
  managers: after.managers - before.managers,
  server: after.server - before.server,
  standIn: after.standIn - before.standIn,
});

const waitsOf = async (managers: readonly ManagerProcess[]): Promise<ReadonlyMap<string, Histogram>> =>
  queueWaits(await Promise.all(managers.map(async ({ metricsUrl }) => (await fetch(metricsUrl)).text())));

const created = async (world: World) => {
  const { management, clusters, authorities, server } = world;
  await management.forEach(clusters, (cluster) => management.create(authoritySecrets(authorities, cluster)));
  const startRequests = await untilQuiet(world);
  const before = cpuSeconds(world);
  const started = performance.now();
  await management.forEach(clusters, (cluster) => management.create(clusterObjects(cluster, infrastructure)));
  const machines = clusters.reduce((sum, { workers }) => sum + workers + 1, 0);
  await untilAll(world, "all Machines to be Running", () => management.running === machines);
  const runningSeconds = (performance.now() - started) / 1000;
  const used = less(cpuSeconds(world), before);
  // What is said of the last Machines comes a little later, and is counted, too.
  await pause(world.options.quietMs, undefined, { signal: world.signal });
  return {
    startRequests,
    runningSeconds,
    cpuSeconds: used,
    requests: await server.audit.take(),
    queueWaits: await waitsOf(world.managers),
  };
};

const settled = async (world: World): Promise<Pick<Figures, "settled">> => {
  const { options, server, signal } = world;
  if (options.settledMs === 0) return {};
  const before = cpuSeconds(world).managers;
  await pause(options.settledMs, undefined, { signal });
  const requests: Requests = await server.audit.take();
  const seconds = options.settledMs / 1000;
  return { settled: { seconds, requests, cpuSeconds: cpuSeconds(world).managers - before } };
};

const deleted = async (world: World) => {
  const { management, server } = world;
  const started = performance.now();
  await management.deleteClusters();
  await untilAll(world, "everything to be gone", () => management.clusters === 0 && management.machines === 0);
  const deleteSeconds = (performance.now() - started) / 1000;
  return { deleteSeconds, deleteRequests: await server.audit.take() };
};

/** One contestant with one shape, from an empty API server to an empty API server. */
export const measure = async (
  contestant: Contestant,
  shape: Shape,
  options: CoreOptions,
  { say, signal }: { readonly say: (line: string) => void; readonly signal: AbortSignal },
): Promise<Figures> => {
  const clusters = Array.from({ length: shape.clusters }, (_, index) => ({
    namespace: "default",
    name: shape.clusters === 1 ? "bench" : `bench-${index + 1}`,
    workers: shape.workers,
  }));
  await using cleanup = new AsyncDisposableStack();
  say(`${contestant.name}, ${machinesOf(shape)} Machines: starting`);
  const authorities = await createAuthorities();
  const server = await startServer(options, signal);
  cleanup.defer(() => server.stop());
  await installInfrastructure(server.kubeconfig("bench"));
  const order = {
    kubeconfig: server.kubeconfig("stand-in"),
    clusters: clusters.map(({ name }) => name),
    authority: authorities.ca,
  };
  const managers: ManagerProcess[] = [];
  const started = (manager: ManagerProcess): void => {
    managers.push(manager);
    cleanup.defer(() => manager.stop());
  };
  const standIn = await startStandIn(server);
  cleanup.defer(() => standIn.stop());
  await Promise.all([contestant.start(server, options, { signal, started }), standInReady(standIn, order, signal)]);
  const management = await Management.open(server.kubeconfig("bench"));
  cleanup.defer(() => management.close());
  const world: World = { options, server, standIn, managers, management, clusters, authorities, say, signal };
  try {
    const figures = {
      contestant: contestant.name,
      server: server.name,
      shape,
      ...(await created(world)),
      ...(await settled(world)),
      ...(await deleted(world)),
    };
    return { ...figures, peakMiB: memoryMiB(pidsOf(managers)).peak };
  } catch (error) {
    if (!signal.aborted) {
      for (const process of [standIn, ...managers]) say(`--- ${process.name}\n${tailOf(process.log())}`);
    }
    throw error;
  }
};

import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { clusterObjects, type ClusterShape } from "../cluster-objects.ts";
import { memoryMiB } from "../process-usage.ts";
import type { Requests } from "./audit.ts";
import { type Authorities, authoritySecrets, createAuthorities } from "./cluster-secrets.ts";
import type { Figures } from "./figures.ts";
import type { Contestant, ManagerProcess } from "./managers.ts";
import { type CoreOptions, machinesOf, type Shape } from "./options.ts";
import { type Histogram, queueWaits } from "./queue-waits.ts";
import type { StandInOrder } from "./stand-in/process.ts";
import { cpuSeconds, inWorld, less, type MeasuredWorld, pidsOf, type StandIn, untilAll, untilQuiet } from "./world.ts";

const infrastructure = {
  vendor: "Memory",
  version: "v1beta1",
  cluster: {},
  machine: { size: "small" },
  nodeName: "{{ ds.meta_data.local_hostname }}",
} as const;

interface World extends MeasuredWorld {
  readonly clusters: readonly ClusterShape[];
  readonly authorities: Authorities;
}

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
  say(`${contestant.name}, ${machinesOf(shape)} Machines: starting`);
  const authorities = await createAuthorities();
  const standIn: StandIn<StandInOrder> = {
    file: join(import.meta.dirname, "stand-in/process.ts"),
    order: (kubeconfig) => ({ kubeconfig, clusters: clusters.map(({ name }) => name), authority: authorities.ca }),
    timeoutMs: 120_000 + clusters.length * 2000,
  };
  return inWorld(contestant, { options, say, signal, standIn }, async (measured) => {
    const world: World = { ...measured, clusters, authorities };
    const figures = {
      contestant: contestant.name,
      server: world.server.name,
      shape,
      ...(await created(world)),
      ...(await settled(world)),
      ...(await deleted(world)),
    };
    return { ...figures, peakMiB: memoryMiB(pidsOf(world.managers)).peak };
  });
};

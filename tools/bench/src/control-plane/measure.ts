import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { conditionsOf, controlPlane as wire } from "@capstan/contract/wire";
import { KubeadmControlPlane } from "@capstan/controlplane-kubeadm/api";
import type { KubeObject } from "@capstan/schema";
import { memoryMiB } from "../process-usage.ts";
import type { Requests } from "../core/audit.ts";
import type { Contestant } from "../core/managers.ts";
import { cpuSeconds, inWorld, type MeasuredWorld, pidsOf, type StandIn, untilAll, untilQuiet } from "../core/world.ts";
import type { CloudOrder } from "./cloud-process.ts";
import { controlPlaneObjects, versions } from "./objects.ts";
import type { ControlPlaneOptions } from "./options.ts";

/** One stage of the life of all clusters. */
export interface StageFigures {
  readonly name: "created" | "upgraded" | "deleted";
  /** Until all of them are there. */
  readonly seconds: number;
  /** Requests of the managers, until then and in the seconds after it. */
  readonly requests: Requests;
  /** Used by the managers, until then. */
  readonly cpuSeconds: number;
}

/** The figures of one contestant. */
export interface ControlPlaneFigures {
  readonly contestant: string;
  readonly server: string;
  readonly clusters: number;
  readonly members: number;
  readonly stages: readonly StageFigures[];
  /** Absent: not looked at. */
  readonly settled?: { readonly seconds: number; readonly requests: Requests; readonly cpuSeconds: number };
  readonly peakMiB: number;
}

const fields = wire.for("v1beta2");

const isAvailable = (object: KubeObject): boolean =>
  conditionsOf(object).some(({ type, status }) => type === "Available" && status === "True");

/** All its Machines are there, ready and of its version, and it has said so of its present generation. */
const isComplete = (object: KubeObject, members: number): boolean => {
  const { observedGeneration } = (object["status"] ?? {}) as { readonly observedGeneration?: number };
  return (
    observedGeneration === object.metadata.generation &&
    [fields.statusReplicas, fields.readyReplicas, fields.upToDateReplicas].every(
      (field) => field.get(object) === members,
    ) &&
    isAvailable(object)
  );
};

const versionOf = ({ spec }: KubeObject): unknown => (spec as { readonly version?: string } | undefined)?.version;

/** Every control plane has so many Machines of a version, which run. */
const allAt = ({ management, options }: ControlPlaneWorld, version: string): boolean => {
  const { clusters, members } = options;
  const machines = management.allMachines;
  return (
    machines.length === clusters * members &&
    management.running === machines.length &&
    machines.every((machine) => versionOf(machine) === version) &&
    management.list(KubeadmControlPlane).every((object) => isComplete(object, members))
  );
};

interface ControlPlaneWorld extends MeasuredWorld {
  readonly options: ControlPlaneOptions;
  readonly names: readonly string[];
}

/** Begins a stage, waits for its end, and for what is said a little later. */
const stage = async (
  world: ControlPlaneWorld,
  name: StageFigures["name"],
  begin: () => Promise<void>,
  isOver: () => boolean,
): Promise<StageFigures> => {
  const before = cpuSeconds(world).managers;
  const started = performance.now();
  await begin();
  await untilAll(world, `all to be ${name}`, isOver);
  const seconds = (performance.now() - started) / 1000;
  const used = cpuSeconds(world).managers - before;
  return { name, seconds, requests: await untilQuiet(world), cpuSeconds: used };
};

const settled = async (world: ControlPlaneWorld): Promise<Pick<ControlPlaneFigures, "settled">> => {
  const { options, server, signal } = world;
  if (options.settledMs === 0) return {};
  const before = cpuSeconds(world).managers;
  await pause(options.settledMs, undefined, { signal });
  const used = cpuSeconds(world).managers - before;
  return { settled: { seconds: options.settledMs / 1000, requests: await server.audit.take(), cpuSeconds: used } };
};

const live = async (world: ControlPlaneWorld): Promise<Pick<ControlPlaneFigures, "stages" | "settled">> => {
  const { management, names, options } = world;
  // What starting takes is not the clusters'.
  await untilQuiet(world);
  const create = () =>
    management.forEach(names, (name) => management.create(controlPlaneObjects(name, options.members)));
  const created = await stage(world, "created", create, () => allAt(world, versions.from));
  const still = await settled(world);
  const upgrade = () =>
    management.forEach(management.list(KubeadmControlPlane), (object) =>
      management.change(KubeadmControlPlane, object, { spec: { version: versions.to } }),
    );
  const upgraded = await stage(world, "upgraded", upgrade, () => allAt(world, versions.to));
  const isGone = (): boolean =>
    management.clusters + management.machines + management.list(KubeadmControlPlane).length === 0;
  const deleted = await stage(world, "deleted", () => management.deleteClusters(), isGone);
  return { stages: [created, upgraded, deleted], ...still };
};

/** One contestant, from an empty API server to an empty API server. */
export const measureControlPlanes = async (
  contestant: Contestant,
  options: ControlPlaneOptions,
  { say, signal }: { readonly say: (line: string) => void; readonly signal: AbortSignal },
): Promise<ControlPlaneFigures> => {
  const { clusters, members } = options;
  const names = Array.from({ length: clusters }, (_, index) => `bench-${index + 1}`);
  say(`${contestant.name}, ${clusters} clusters of ${members} members: starting`);
  const standIn: StandIn<CloudOrder> = {
    file: join(import.meta.dirname, "cloud-process.ts"),
    order: (kubeconfig) => ({ kubeconfig }),
    timeoutMs: 120_000,
  };
  const given = { options, say, signal, standIn, watched: [KubeadmControlPlane] };
  return inWorld(contestant, given, async (measured) => {
    const lived = await live({ ...measured, options, names });
    const peakMiB = memoryMiB(pidsOf(measured.managers)).peak;
    return { contestant: contestant.name, server: measured.server.name, clusters, members, ...lived, peakMiB };
  });
};

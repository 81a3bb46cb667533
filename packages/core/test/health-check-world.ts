import { Label, rfc3339 } from "@capstan/contract";
import { NodeResource } from "@capstan/contract/wire";
import { findCondition } from "@capstan/kit/machines";
import { Machine, MachineHealthCheck } from "../src/api.ts";
import {
  bootstrap,
  createCluster,
  createMachine,
  join,
  key,
  namespace,
  provision,
  provisionCluster,
} from "./hand-provider.ts";
import type { World } from "./world.ts";
import { startWorld } from "./world.ts";

/** Brings a Machine with a Node into the Cluster `prod`. */
export const createRunning = async (
  world: World,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<void> => {
  await createMachine(world, name, { labels });
  await bootstrap(world, name);
  await provision(world, name);
  await join(world, name);
  const isRunning = async (): Promise<boolean> => (await world.api.get(Machine, key(name))).status?.phase === "Running";
  await world.until(isRunning);
};

/** A world with a Cluster of one control-plane Machine and some workers, all running. */
export const startHealthWorld = async (workers: readonly string[]): Promise<World> => {
  const world = await startWorld();
  await createCluster(world);
  await provisionCluster(world);
  await createRunning(world, "cp", { [Label.controlPlane]: "" });
  for (const name of workers) await createRunning(world, name, { role: "worker" });
  await world.settle();
  return world;
};

/** The kubelet of a Machine, or the lack of it, changes the Ready condition of its Node. */
export const nodeBecomes = async (
  { workload, clock }: World,
  name: string,
  status: "True" | "False" | "Unknown",
): Promise<void> => {
  const conditions = [
    { type: "Ready", status, lastTransitionTime: rfc3339(clock.now()) },
    ...["MemoryPressure", "DiskPressure", "PIDPressure"].map((type) => ({ type, status: "False" })),
  ];
  const body = { status: { conditions } };
  await workload.patch(NodeResource, { name: `node-${name}` }, { type: "merge", body }, { subresource: "status" });
};

/** A check of the workers that gives a Node five minutes. */
export const createCheck = (
  world: World,
  spec: Partial<MachineHealthCheck["spec"]> = {},
): Promise<MachineHealthCheck> =>
  world.api.create(MachineHealthCheck, {
    apiVersion: `${MachineHealthCheck.group}/${MachineHealthCheck.version}`,
    kind: MachineHealthCheck.kind,
    metadata: { name: "workers", namespace },
    spec: {
      clusterName: "prod",
      selector: { matchLabels: { role: "worker" } },
      checks: {
        unhealthyNodeConditions: ["False", "Unknown"].map((status) => ({ type: "Ready", status, timeoutSeconds: 300 })),
      },
      ...spec,
    },
  });

export const checkOf = ({ api }: World): Promise<MachineHealthCheck> => api.get(MachineHealthCheck, key("workers"));

/** `status/reason` of a condition of a Machine; `undefined` without it. */
export const saidOf = async ({ api }: World, name: string, type: string): Promise<string | undefined> => {
  const found = findCondition(await api.get(Machine, key(name)), type);
  return found === undefined ? undefined : `${found.status}/${found.reason}`;
};

/** Lets time pass up to a moment. */
const passUntil = async ({ clock }: World, end: number): Promise<void> => {
  const maxMs = Math.max(0, end - clock.now()) + 1000;
  await clock.advanceUntil(() => clock.now() >= end, { stepMs: 1000, maxMs });
};

/** Lets an exact time pass; `since`: of which some may have passed already. Default now. */
export const pass = async (world: World, seconds: number, since = world.clock.now()): Promise<void> =>
  passUntil(world, since + seconds * 1000);

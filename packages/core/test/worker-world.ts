import { Label } from "@capstan/contract";
import { NodeResource } from "@capstan/contract/wire";
import { byText } from "@capstan/kube-values";
import type { KubeObject, Resource } from "@capstan/schema";
import { Machine, MachineDeployment } from "../src/api.ts";
import {
  bootstrap,
  clusterNamed,
  createCluster,
  createMachine,
  join,
  key,
  namespace,
  provision,
  provisionCluster,
  providerObject,
  unlessGone,
} from "./hand-provider.ts";
import { providerKinds } from "./provider-kinds.ts";
import type { World } from "./world.ts";
import { startWorld } from "./world.ts";

/** A deployment as people write it: without selector, labels and strategy. */
export const workerDeployment = (
  replicas: number,
  infrastructureRef: Machine["spec"]["infrastructureRef"],
): KubeObject => ({
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: MachineDeployment.kind,
  metadata: { name: "md", namespace },
  spec: {
    clusterName: "prod",
    replicas,
    selector: { matchLabels: null },
    template: {
      metadata: { labels: { role: "worker" } },
      spec: {
        clusterName: "prod",
        version: "v1.33.4",
        bootstrap: { configRef: { ...providerKinds.configTemplate.ref, name: "workers" } },
        infrastructureRef,
      },
    },
  },
});

/** A world with a provisioned Cluster and templates for workers. */
export const startWorkerWorld = async (options: Parameters<typeof startWorld>[0] = {}) => {
  const world = await startWorld(options);
  await createCluster(world);
  await provisionCluster(world);
  const body = { metadata: { labels: { made: "by-template" } }, spec: { size: "small" } };
  for (const kind of [providerKinds.machineTemplate, providerKinds.configTemplate]) {
    await world.api.create(kind.resource, providerObject(kind, "workers", { template: body }));
  }
  return { world, ...workersOf(world) };
};

export type WorkerWorld = Awaited<ReturnType<typeof startWorkerWorld>>;

const workersOf = (world: World) => {
  const list = async <T extends KubeObject>(kind: Resource<T>): Promise<readonly T[]> =>
    (await world.api.list(kind, { namespace })).items;
  const names = async (kind: Resource): Promise<readonly string[]> =>
    (await list(kind)).map(({ metadata }) => metadata.name ?? "").sort(byText);
  return {
    list,
    names,
    /** That many Machines are there, and a config and an infrastructure machine for each. A controller whose calls failed may wait for minutes. */
    isComplete: async (count: number): Promise<boolean> => {
      const kinds = [Machine, providerKinds.config.resource, providerKinds.machine.resource];
      return (await Promise.all(kinds.map((kind) => names(kind)))).every(({ length }) => length === count);
    },
    createDeployment: (replicas: number): Promise<MachineDeployment> =>
      world.api.create(
        MachineDeployment,
        workerDeployment(replicas, { ...providerKinds.machineTemplate.ref, name: "workers" }),
      ),
    deployment: (): Promise<MachineDeployment> => world.api.get(MachineDeployment, key("md")),
    /** Everything the outside does for Machines that lack something: data, machines, Nodes. */
    serve: async (): Promise<void> => {
      const machines = (await list(Machine)).filter(
        ({ metadata, status }) => metadata.deletionTimestamp === undefined && status?.nodeRef === undefined,
      );
      if (machines.length === 0) return;
      const made = await Promise.all([providerKinds.config, providerKinds.machine].map((kind) => names(kind.resource)));
      for (const { metadata, status } of machines) {
        const name = metadata.name ?? "";
        if (!made.every((parts) => parts.includes(name))) continue;
        await unlessGone(async () => {
          if (status?.initialization?.bootstrapDataSecretCreated !== true) await bootstrap(world, name);
          if (status?.initialization?.infrastructureProvisioned !== true) await provision(world, name);
          const node = await world.workload.find(NodeResource, { name: `node-${name}` });
          if (node === undefined) await join(world, name);
        });
      }
    },
    startControlPlane: async (): Promise<void> => {
      await createMachine(world, "cp", { labels: { [Label.controlPlane]: "" } });
      await bootstrap(world, "cp");
      await provision(world, "cp");
      await join(world, "cp");
      const initialized = async (): Promise<boolean> =>
        (await clusterNamed(world))?.status?.initialization?.controlPlaneInitialized === true;
      await world.until(initialized);
    },
  };
};

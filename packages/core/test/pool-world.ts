import { Label } from "@capstan/contract";
import { NodeResource } from "@capstan/contract/wire";
import { byText } from "@capstan/kube-values";
import type { KubeObject, Resource } from "@capstan/schema";
import { Cluster, Machine, MachinePool } from "../src/api.ts";
import {
  bootstrap,
  createCluster,
  join,
  key,
  namespace,
  provision,
  provisionCluster,
  providerIDOf,
  providerObject,
  unlessGone,
} from "./hand-provider.ts";
import { providerKinds } from "./provider-kinds.ts";
import type { World } from "./world.ts";
import { set, setStatus, startWorld } from "./world.ts";

export interface PoolWorldOptions {
  /** The pool has an infrastructure machine for each of its machines. */
  readonly machines?: boolean;
  /** Its infrastructure speaks the older contract. */
  readonly old?: boolean;
}

/** A world with a provisioned Cluster, and a provider of machine pools that a test plays by `serve`. */
export const startPoolWorld = async (options: PoolWorldOptions = {}) => {
  const world = await startWorld();
  await createCluster(world);
  await provisionCluster(world);
  // Its control plane is another user's: Machines are judged by their Nodes from here on.
  const cluster = await world.api.get(Cluster, key("prod"));
  await setStatus(world, Cluster, cluster, { initialization: { controlPlaneInitialized: true } });
  const infrastructure = options.old === true ? providerKinds.oldMachinePool : providerKinds.machinePool;
  const list = async <T extends KubeObject>(kind: Resource<T>): Promise<readonly T[]> =>
    (await world.api.list(kind, { namespace })).items;
  const names = async (kind: Resource): Promise<readonly string[]> =>
    (await list(kind)).map(({ metadata }) => metadata.name ?? "").sort(byText);
  return {
    world,
    infrastructure,
    list,
    names,
    nodes: async (): Promise<readonly string[]> =>
      (await world.workload.list(NodeResource)).items.map(({ metadata }) => metadata.name ?? "").sort(byText),
    pool: (): Promise<MachinePool> => world.api.get(MachinePool, key("pool")),
    create: async (replicas: number, more: object = {}): Promise<void> => {
      await world.api.create(providerKinds.config.resource, providerObject(providerKinds.config, "pool"));
      await world.api.create(infrastructure.resource, providerObject(infrastructure, "pool"));
      await world.api.create(MachinePool, {
        apiVersion: "cluster.x-k8s.io/v1beta2",
        kind: MachinePool.kind,
        metadata: { name: "pool", namespace },
        spec: {
          clusterName: "prod",
          replicas,
          template: {
            metadata: { labels: { "node.cluster.x-k8s.io/tier": "pool" } },
            spec: {
              clusterName: "prod",
              version: "v1.33.4",
              bootstrap: { configRef: { ...providerKinds.config.ref, name: "pool" } },
              infrastructureRef: { ...infrastructure.ref, name: "pool" },
              ...more,
            },
          },
        },
      });
    },
    serve: () => serve(world, infrastructure, options),
  };
};

export type PoolWorld = Awaited<ReturnType<typeof startPoolWorld>>;

const indexOf = (name: string): number => Number(name.split("-").at(-1));

/** One round of what the provider does: bootstrap data, machines in the number that the pool wants, and their Nodes. */
const serve = async (
  world: World,
  infrastructure: { readonly resource: Resource },
  { machines = false, old = false }: PoolWorldOptions,
): Promise<void> => {
  const { api, workload } = world;
  const pool = await api.find(MachinePool, key("pool"));
  const infra = await api.find(infrastructure.resource, key("pool"));
  if (pool === undefined || infra === undefined || infra.metadata.ownerReferences === undefined) return;
  await unlessGone(() => bootstrap(world, "pool"));
  if (machines) await serveLeaving(world);
  if (pool.spec.template.spec.bootstrap.dataSecretName === undefined) return;
  const isLeaving = pool.metadata.deletionTimestamp !== undefined;
  const present = machines
    ? (await api.list(providerKinds.machine.resource, { namespace })).items
        .filter(({ metadata }) => metadata.labels?.[Label.poolName] !== undefined)
        .map(({ metadata }) => metadata.name ?? "")
    : ((infra["spec"] as { readonly providerIDList?: readonly string[] }).providerIDList ?? []).map(nameOfID);
  const wanted = isLeaving ? 0 : (pool.spec.replicas ?? 1);
  const kept = machines ? present : present.slice(0, wanted);
  const next = 1 + Math.max(0, ...present.map(indexOf));
  const added = Array.from({ length: Math.max(0, wanted - kept.length) }, (_, index) => `pool-${next + index}`);
  for (const name of added) {
    if (machines) await makeInfraMachine(world, name);
    if ((await workload.find(NodeResource, { name: `node-${name}` })) === undefined) await join(world, name);
  }
  if (machines && kept.length > wanted) await shrink(world, kept.length - wanted);
  const members = [...kept, ...added];
  await unlessGone(() =>
    set(world, infrastructure.resource, infra, { spec: { providerIDList: members.map((name) => providerIDOf(name)) } }),
  );
  const status = { replicas: members.length, ...(machines ? { infrastructureMachineKind: "TestMachine" } : {}) };
  const flags = old ? { ready: true } : { initialization: { provisioned: true } };
  await unlessGone(() => setStatus(world, infrastructure.resource, infra, { ...status, ...flags }));
};

const nameOfID = (id: string): string => id.slice(providerIDOf("").length);

const makeInfraMachine = async (world: World, name: string): Promise<void> => {
  const object = providerObject(providerKinds.machine, name);
  const labels = { [Label.poolName]: "pool", [Label.clusterName]: "prod" };
  await world.api.create(providerKinds.machine.resource, {
    ...object,
    metadata: { ...object.metadata, labels, finalizers: ["test.example/machine"] },
  });
  await provision(world, name);
};

/** Machines that are deleted let go of theirs: the machine is gone then. */
const serveLeaving = async ({ api }: World): Promise<void> => {
  for (const { metadata } of (await api.list(providerKinds.machine.resource, { namespace })).items) {
    if (metadata.deletionTimestamp === undefined) continue;
    const body = { metadata: { finalizers: null } };
    await unlessGone(() =>
      api.patch(providerKinds.machine.resource, key(metadata.name ?? ""), { type: "merge", body }),
    );
  }
};

/** As providers do it: the Machine is deleted, which takes its infrastructure machine along. */
const shrink = async ({ api }: World, surplus: number): Promise<void> => {
  const live = (await api.list(Machine, { namespace })).items;
  const leaving = live.filter(({ metadata }) => metadata.deletionTimestamp !== undefined).length;
  const staying = live.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  for (const { metadata } of staying.slice(0, Math.max(0, surplus - leaving))) {
    await unlessGone(() => api.delete(Machine, key(metadata.name ?? "")));
  }
};

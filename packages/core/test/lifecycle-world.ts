import { Group, Label } from "@capstan/contract";
import { NodeResource, SecretResource } from "@capstan/contract/wire";
import { byText } from "@capstan/kube-values";
import type { KubeObject, Resource } from "@capstan/schema";
import { resource } from "@capstan/schema";
import type { MemoryServer } from "@capstan/testing/infra-memory";
import {
  createMemoryProvider,
  MemoryCloud,
  MemoryCluster,
  MemoryMachine,
  MemoryMachineTemplate,
} from "@capstan/testing/infra-memory";
import { Cluster, Machine, MachineDeployment, MachineSet } from "../src/api.ts";
import { disturbCloud } from "./disturbed-calls.ts";
import {
  bootstrap,
  clusterNamed,
  giveKubeconfig,
  join,
  key,
  namespace,
  providerObject,
  unlessGone,
} from "./hand-provider.ts";
import { providerKinds } from "./provider-kinds.ts";
import { workerDeployment } from "./worker-world.ts";
import type { World } from "./world.ts";
import { set, startWorld } from "./world.ts";

const core = `${Group.core}/v1beta2`;
const memory = `${Group.infrastructure}/v1beta1`;
const dataSecretName = "data";
const Pods = resource({ group: "", version: "v1", kind: "Pod", plural: "pods" });

const ref = (kind: Resource, name: string) => ({ apiGroup: kind.group, kind: kind.kind, name });

const object = (apiVersion: string, kind: Resource, name: string, spec: object): KubeObject => ({
  apiVersion,
  kind: kind.kind,
  metadata: { name, namespace },
  spec,
});

const serverNames = ({ servers }: MemoryCloud): readonly string[] =>
  [...servers.values()].map(({ name }) => name).toSorted(byText);

/** A Pod of a deployment, so that there is something to drain. It ends as soon as it is told to. */
const startPod = async ({ workload }: World, node: string): Promise<void> => {
  await workload.create(Pods, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: `app-${node}`, namespace },
    spec: { nodeName: node, terminationGracePeriodSeconds: 0, containers: [{ name: "app", image: "app" }] },
  });
};

/**
 * A process with core and an infrastructure provider, whose every call - to the management API, to the workload cluster and to the
 * cloud - can be disturbed. The cloud, its guests and the bootstrap provider belong to the test and never die.
 */
export const startLifecycleWorld = async () => {
  const cloud: { current?: MemoryCloud } = {};
  const boot = async ({ id, name }: MemoryServer): Promise<void> => {
    world.running += 1;
    try {
      await join(world, name, `memory://${id}`);
      await startPod(world, `node-${name}`);
    } finally {
      world.running -= 1;
    }
  };
  const world = await startWorld({
    providers: (clock) => {
      cloud.current = new MemoryCloud({ clock, onBoot: (server) => void boot(server) });
      return [createMemoryProvider(cloud.current)];
    },
  });
  const { current } = cloud;
  if (current === undefined) throw new Error("the provider was not asked for");
  disturbCloud(world, current);
  await giveKubeconfig(world);
  await world.api.create(SecretResource, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: dataSecretName, namespace },
    data: { value: Buffer.from("#cloud-config\n{}").toString("base64") },
  });
  return { world, cloud: current, ...actsOn(world), ...viewOf(world), servers: () => serverNames(current) };
};

export type LifecycleWorld = Awaited<ReturnType<typeof startLifecycleWorld>>;

/** What a user does, and the bootstrap provider. */
const actsOn = (world: World) => ({
  /** A Cluster with a control plane of one Machine and a deployment of workers. */
  create: async (replicas: number): Promise<void> => {
    const { api } = world;
    const template = { metadata: { labels: { made: "by-template" } }, spec: {} };
    await api.create(MemoryMachineTemplate, object(memory, MemoryMachineTemplate, "workers", { template }));
    const { configTemplate } = providerKinds;
    await api.create(configTemplate.resource, providerObject(configTemplate, "workers", { template }));
    await api.create(MemoryCluster, object(memory, MemoryCluster, "prod", {}));
    await api.create(Cluster, object(core, Cluster, "prod", { infrastructureRef: ref(MemoryCluster, "prod") }));
    await api.create(MemoryMachine, object(memory, MemoryMachine, "cp", {}));
    const cp = object(core, Machine, "cp", {
      clusterName: "prod",
      bootstrap: { dataSecretName },
      infrastructureRef: ref(MemoryMachine, "cp"),
    });
    await api.create(Machine, { ...cp, metadata: { ...cp.metadata, labels: { [Label.controlPlane]: "" } } });
    await api.create(MachineDeployment, workerDeployment(replicas, ref(MemoryMachineTemplate, "workers")));
  },
  change: async (spec: object): Promise<void> => {
    await set(world, MachineDeployment, await world.api.get(MachineDeployment, key("md")), { spec });
  },
  deleteDeployment: () => world.api.delete(MachineDeployment, key("md")),
  deleteCluster: () => world.api.delete(Cluster, key("prod")),
  /** Makes the bootstrap data of every config that has none. */
  serve: async (): Promise<void> => {
    const { items } = await world.api.list(providerKinds.config.resource, { namespace });
    for (const { metadata, ...config } of items) {
      if (config["status"] === undefined) await unlessGone(() => bootstrap(world, metadata.name ?? "", dataSecretName));
    }
  },
  /** Nodes of a cluster that is gone, which went with it in the real world. */
  forgetNodes: async (): Promise<void> => {
    const { workload } = world;
    for (const { metadata } of (await workload.list(Pods, { namespace })).items) {
      await workload.delete(Pods, key(metadata.name ?? ""), { gracePeriodSeconds: 0 });
    }
    for (const { metadata } of (await workload.list(NodeResource)).items) {
      await workload.delete(NodeResource, { name: metadata.name ?? "" });
    }
  },
});

/** Kinds whose objects come and go with a cluster. */
export const livingKinds: readonly Resource[] = [
  Cluster,
  MachineDeployment,
  MachineSet,
  Machine,
  MemoryCluster,
  MemoryMachine,
  MemoryMachineTemplate,
  providerKinds.config.resource,
  providerKinds.configTemplate.resource,
];

const viewOf = (world: World) => {
  const names = async (kind: Resource): Promise<readonly string[]> =>
    (await world.api.list(kind, { namespace })).items.map(({ metadata }) => metadata.name ?? "").toSorted(byText);
  return {
    names,
    cluster: () => clusterNamed(world),
    deployment: () => world.api.find(MachineDeployment, key("md")),
    sets: async (): Promise<readonly MachineSet[]> => (await world.api.list(MachineSet, { namespace })).items,
    workers: async (): Promise<readonly Machine[]> =>
      (await world.api.list(Machine, { namespace })).items.filter(({ metadata }) => metadata.name !== "cp"),
    nodes: async (): Promise<readonly string[]> =>
      (await world.workload.list(NodeResource)).items.map(({ metadata }) => metadata.name ?? "").toSorted(byText),
    pods: async (): Promise<readonly string[]> =>
      (await world.workload.list(Pods, { namespace })).items
        .map(({ metadata }) => metadata.name ?? "")
        .toSorted(byText),
  };
};

import { Group } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import * as cluster from "@capstan/kit/cluster";
import type { ClusterVerbContext, InfraClusterAuthor } from "@capstan/kit/cluster";
import { userDataRoutes } from "@capstan/kit/delivery";
import { absent, infraMachine, internalIP, pending, present } from "@capstan/kit/machine";
import type { Credentials, InfraMachineAuthor, SecretRef } from "@capstan/kit/machine";
import { ownerTag, withEpoch } from "@capstan/kit/engine";
import type { KubeObject } from "@capstan/schema";
import type { MemoryApi } from "./memory-api.ts";
import { memoryApi } from "./memory-api.ts";
import type { MemoryCloud, MemoryLoadBalancer, MemoryServer } from "./memory-cloud.ts";
import { MemoryCluster, MemoryMachine, MemoryMachineTemplate } from "./memory-kinds.ts";

const secretRef = (ref: { readonly name?: string; readonly namespace?: string } | undefined): SecretRef | undefined =>
  ref?.name === undefined ? undefined : { ...ref, name: ref.name };

const namesOf = (objects: readonly KubeObject[]): readonly string[] =>
  objects.map(({ metadata }) => metadata.name ?? "");

const connectTo =
  (cloud: MemoryCloud) =>
  ({ credentials }: { readonly credentials: Credentials | undefined }): MemoryApi =>
    memoryApi(cloud, credentials?.required("token").reveal());

const providerIDOf = (id: string): string => `memory://${id}`;

/** Servers in memory as Cluster API machines. */
export const memoryMachineAuthor = (
  cloud: MemoryCloud,
): InfraMachineAuthor<MemoryMachine, MemoryApi, MemoryServer, MemoryCluster> => ({
  kind: MemoryMachine,
  clusterKind: MemoryCluster,
  finalizer: `${Group.infrastructure}/memorymachine`,
  credentialsRef: ({ infraCluster }) => secretRef(infraCluster?.spec.credentialsRef),
  objectStore: ({ infraCluster }) => {
    const ref = secretRef(infraCluster?.spec.objectStoreRef);
    return ref === undefined ? undefined : { credentialsRef: ref };
  },
  clusterRecord: ({ spec: { credentialsRef, objectStoreRef } }) => ({ spec: { credentialsRef, objectStoreRef } }),
  connect: connectTo(cloud),
  inventory: {
    list: ({ api, call }) => api.list(call),
    tagsOf: ({ tag, tags }) => [tag, ...tags],
    providerIDOf: ({ id }) => providerIDOf(id),
    pollMs: 1000,
    settledPollMs: 60_000,
  },
  observe: async ({ item }) => {
    if (item === undefined) return absent();
    const { id, state, tags } = item;
    const facts = { handle: id, providerID: providerIDOf(id), tags, status: { instanceState: state } };
    if (item.state === "off") return pending({ ...facts, reason: "Stopped", step: "boot" });
    if (item.state === "booting") return pending({ ...facts, reason: "Booting", pollMs: 1000 });
    return present({ ...facts, addresses: item.addresses.map(internalIP) });
  },
  create: async ({ api, bootstrap, call, identity, object }) => {
    const { bytes: userData } = await bootstrap.deliver(userDataRoutes({ limitBytes: api.limitBytes, gzip: true }));
    const { name, tag } = identity;
    await api.create({ tag, tags: withEpoch([], identity), name, size: object.spec.size ?? "small", userData }, call);
  },
  steps: { boot: ({ api, call, handle }) => api.boot(handle, call) },
  mark: ({ api, call, handle, identity, item }) => api.tag(handle, withEpoch(item?.tags ?? [], identity), call),
  stages: () => [
    { name: "creating", reasons: ["Creating"] },
    { name: "booting", reasons: ["Boot", "Booting"] },
  ],
  remove: ({ api, call, handle }) => api.delete(handle, call),
});

type ClusterContext = ClusterVerbContext<MemoryCluster, MemoryApi>;

/** By the mark of its owner, which the object keeps when it is moved, unlike its uid. */
const balancerOf = async ({ api, call, identity }: ClusterContext): Promise<MemoryLoadBalancer | undefined> =>
  (await api.loadBalancers(call)).find(({ tag }) => tag === ownerTag(identity.owner));

/** Endpoints in memory as Cluster API clusters. */
export const memoryClusterAuthor = (cloud: MemoryCloud): InfraClusterAuthor<MemoryCluster, MemoryApi> => ({
  kind: MemoryCluster,
  machineKind: MemoryMachine,
  finalizer: `${Group.infrastructure}/memorycluster`,
  credentialsRef: ({ object }) => secretRef(object.spec.credentialsRef),
  connect: connectTo(cloud),
  observe: async (context) => {
    if (context.additional) return cluster.present();
    const found = await balancerOf(context);
    if (found === undefined) return cluster.absent();
    const facts = { endpoint: { host: found.host, port: found.port }, status: { members: found.members.length } };
    return cluster.present(
      namesOf(context.controlPlaneMachines).join() === found.members.join() ? facts : { ...facts, step: "balance" },
    );
  },
  create: ({ api, call, identity }) => api.balance(ownerTag(identity.owner), [], call),
  steps: {
    balance: ({ api, call, controlPlaneMachines, identity }) =>
      api.balance(ownerTag(identity.owner), namesOf(controlPlaneMachines), call),
  },
  remove: ({ api, call, identity }) => api.unbalance(ownerTag(identity.owner), call),
});

/** An infrastructure provider over a cloud in memory: for tests, and as the smallest whole example of a provider. */
export const createMemoryProvider = (cloud: MemoryCloud): ProviderV1 =>
  defineProvider({
    name: "infra-memory",
    kinds: [MemoryCluster, MemoryMachine, MemoryMachineTemplate],
    register: (host) => {
      host.add(cluster.infraCluster(memoryClusterAuthor(cloud)));
      host.add(infraMachine(memoryMachineAuthor(cloud)));
    },
  });

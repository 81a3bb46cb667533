import { Group } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import * as cluster from "@capstan/kit/cluster";
import type { InfraClusterAuthor } from "@capstan/kit/cluster";
import { absent, infraMachine, internalIP, pending, present } from "@capstan/kit/machine";
import type { Credentials, InfraMachineAuthor, SecretRef } from "@capstan/kit/machine";
import type { KubeObject } from "@capstan/schema";
import type { MemoryApi } from "./memory-api.ts";
import { memoryApi } from "./memory-api.ts";
import type { MemoryCloud, MemoryServer } from "./memory-cloud.ts";
import { MemoryCluster, MemoryMachine, MemoryMachineTemplate } from "./memory-kinds.ts";

const specOf = (object: KubeObject | undefined) => (object?.["spec"] ?? {}) as NonNullable<MemoryCluster["spec"]>;

const secretRef = (ref: { readonly name?: string; readonly namespace?: string } | undefined): SecretRef | undefined =>
  ref?.name === undefined ? undefined : { ...ref, name: ref.name };

const namesOf = (objects: readonly KubeObject[]): readonly string[] =>
  objects.map(({ metadata }) => metadata.name ?? "");

const connectTo =
  (cloud: MemoryCloud) =>
  ({ credentials }: { readonly credentials: Credentials | undefined }): MemoryApi =>
    memoryApi(cloud, credentials?.required("token").reveal());

/** Servers in memory as Cluster API machines. */
export const memoryMachineAuthor = (
  cloud: MemoryCloud,
): InfraMachineAuthor<MemoryMachine, MemoryApi, MemoryServer> => ({
  kind: MemoryMachine,
  clusterKind: MemoryCluster,
  finalizer: `${Group.infrastructure}/memorymachine`,
  credentialsRef: ({ infraCluster }) => secretRef(specOf(infraCluster).credentialsRef),
  objectStore: ({ infraCluster }) => {
    const ref = secretRef(specOf(infraCluster).objectStoreRef);
    return ref === undefined ? undefined : { credentialsRef: ref };
  },
  connect: connectTo(cloud),
  inventory: {
    scope: ({ credentials }) => credentials?.fingerprint ?? "",
    list: ({ api, call }) => api.list(call),
    tagsOf: ({ tag }) => [tag],
    pollMs: 1000,
    settledPollMs: 60_000,
  },
  observe: async ({ item }) => {
    if (item === undefined) return absent();
    const facts = { handle: item.id, providerID: `memory://${item.id}`, status: { instanceState: item.state } };
    if (item.state === "off") return pending({ ...facts, reason: "Stopped", step: "boot" });
    if (item.state === "booting") return pending({ ...facts, reason: "Booting", pollMs: 1000 });
    return present({ ...facts, addresses: item.addresses.map(internalIP) });
  },
  create: async ({ api, bootstrap, call, identity, object }) => {
    const { bytes: userData } = await bootstrap.deliver({ limitBytes: api.limitBytes, gzip: "allowed" });
    await api.create({ tag: identity.tag, name: identity.name, size: object.spec.size ?? "small", userData }, call);
  },
  steps: { boot: ({ api, call, handle }) => api.boot(handle, call) },
  remove: ({ api, call, handle }) => api.delete(handle ?? "", call),
});

/** Endpoints in memory as Cluster API clusters. */
export const memoryClusterAuthor = (cloud: MemoryCloud): InfraClusterAuthor<MemoryCluster, MemoryApi> => ({
  kind: MemoryCluster,
  machineKind: MemoryMachine,
  finalizer: `${Group.infrastructure}/memorycluster`,
  credentialsRef: ({ object }) => secretRef(object.spec.credentialsRef),
  connect: connectTo(cloud),
  observe: async ({ api, call, controlPlaneMachines, identity }) => {
    const found = await api.loadBalancer(identity.tag, call);
    if (found === undefined) return cluster.absent();
    const facts = { endpoint: { host: found.host, port: found.port }, status: { members: found.members.length } };
    return cluster.present(
      namesOf(controlPlaneMachines).join() === found.members.join() ? facts : { ...facts, step: "balance" },
    );
  },
  create: ({ api, call, identity }) => api.balance(identity.tag, [], call),
  steps: {
    balance: ({ api, call, controlPlaneMachines, identity }) =>
      api.balance(identity.tag, namesOf(controlPlaneMachines), call),
  },
  remove: ({ api, call, identity }) => api.unbalance(identity.tag, call),
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

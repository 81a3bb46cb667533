import { Group } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import * as cluster from "@capstan/kit/cluster";
import { absent, infraMachine, internalIP, pending, present } from "@capstan/kit/machine";
import type { Credentials, InfraMachineAuthor, SecretRef } from "@capstan/kit/machine";
import type { KubeObject } from "@capstan/schema";
import type { MemoryApi } from "./memory-api.ts";
import { memoryApi } from "./memory-api.ts";
import type { MemoryCloud, MemoryServer } from "./memory-cloud.ts";
import { MemoryCluster, MemoryMachine, MemoryMachineTemplate } from "./memory-kinds.ts";

export interface MemoryProviderOptions {
  /** Look servers up one by one instead of by a shared list. */
  readonly withoutInventory?: boolean;
}

const specOf = (object: KubeObject | undefined) => (object?.["spec"] ?? {}) as NonNullable<MemoryCluster["spec"]>;

const secretRef = (ref: { readonly name?: string; readonly namespace?: string } | undefined): SecretRef | undefined =>
  ref?.name === undefined ? undefined : { ...ref, name: ref.name };

type Verbs = Pick<
  InfraMachineAuthor<MemoryMachine, MemoryApi, MemoryServer>,
  "observe" | "create" | "steps" | "remove"
>;

const machineVerbs = ({ withoutInventory }: MemoryProviderOptions): Verbs => ({
  observe: async ({ api, call, identity, item }) => {
    const server = withoutInventory === true ? (await api.list(call)).find(({ tag }) => tag === identity.tag) : item;
    if (server === undefined) return absent();
    const facts = { handle: server.id, providerID: `memory://${server.id}`, status: { instanceState: server.state } };
    if (server.state === "off") return pending({ ...facts, reason: "Stopped", step: "boot" });
    if (server.state === "booting") return pending({ ...facts, reason: "Booting", pollMs: 1000 });
    return present({ ...facts, addresses: server.addresses.map(internalIP) });
  },
  create: async ({ api, bootstrap, call, identity, object }) => {
    const { bytes } = await bootstrap.deliver({ limitBytes: api.limitBytes, gzip: "allowed" });
    const { size } = object.spec;
    await api.create(
      { tag: identity.tag, name: identity.name, userData: bytes, ...(size === undefined ? {} : { size }) },
      call,
    );
  },
  steps: { boot: ({ api, call, handle }) => api.boot(handle, call) },
  remove: ({ api, call, handle }) => api.delete(handle ?? "", call),
});

const connectTo =
  (cloud: MemoryCloud) =>
  ({ credentials }: { readonly credentials: Credentials | undefined }): MemoryApi =>
    memoryApi(cloud, credentials?.required("token").reveal());

const memoryMachine = (cloud: MemoryCloud, { withoutInventory }: MemoryProviderOptions) =>
  infraMachine<MemoryMachine, MemoryApi, MemoryServer>({
    kind: MemoryMachine,
    clusterKind: MemoryCluster,
    finalizer: `${Group.infrastructure}/memorymachine`,
    credentialsRef: ({ infraCluster }) => secretRef(specOf(infraCluster).credentialsRef),
    objectStore: ({ infraCluster }) => {
      const ref = secretRef(specOf(infraCluster).objectStoreRef);
      return ref === undefined ? undefined : { credentialsRef: ref };
    },
    connect: connectTo(cloud),
    ...(withoutInventory === true
      ? {}
      : {
          inventory: {
            scope: ({ credentials }) => credentials?.fingerprint ?? "",
            list: ({ api, call }) => api.list(call),
            tagsOf: ({ tag }) => [tag],
            pollMs: 1000,
            settledPollMs: 60_000,
          },
        }),
    ...machineVerbs({ withoutInventory: withoutInventory === true }),
  });

const memoryCluster = (cloud: MemoryCloud) =>
  cluster.infraCluster<MemoryCluster, MemoryApi>({
    kind: MemoryCluster,
    machineKind: MemoryMachine,
    finalizer: `${Group.infrastructure}/memorycluster`,
    credentialsRef: ({ object }) => secretRef(object.spec.credentialsRef),
    connect: connectTo(cloud),
    observe: async ({ api, call, controlPlaneMachines, identity }) => {
      const found = await api.loadBalancer(identity.tag, call);
      if (found === undefined) return cluster.absent();
      const wanted = controlPlaneMachines.map(({ metadata }) => metadata.name ?? "");
      const facts = { endpoint: { host: found.host, port: found.port }, status: { members: found.members.length } };
      return cluster.present(wanted.join() === found.members.join() ? facts : { ...facts, step: "balance" });
    },
    create: ({ api, call, identity }) => api.balance(identity.tag, [], call),
    steps: {
      balance: ({ api, call, controlPlaneMachines, identity }) =>
        api.balance(
          identity.tag,
          controlPlaneMachines.map(({ metadata }) => metadata.name ?? ""),
          call,
        ),
    },
    remove: ({ api, call, identity }) => api.unbalance(identity.tag, call),
  });

/** An infrastructure provider over a cloud in memory: for tests, and as the smallest whole example of a provider. */
export const createMemoryProvider = (cloud: MemoryCloud, options: MemoryProviderOptions = {}): ProviderV1 =>
  defineProvider({
    name: "infra-memory",
    kinds: [MemoryCluster, MemoryMachine, MemoryMachineTemplate],
    register: (host) => {
      host.add(memoryCluster(cloud));
      host.add(memoryMachine(cloud, options));
    },
  });

import { Group } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { userDataRoutes } from "@capstan/kit/delivery";
import type { InfraMachineAuthor, InfraMachinePoolAuthor, PoolBootstrap, PoolWriting } from "@capstan/kit/machine";
import * as machine from "@capstan/kit/machine";
import { absentPool as absent, infraMachinePool, presentPool as present } from "@capstan/kit/machine";
import { MemoryCluster } from "../infra-memory/memory-kinds.ts";
import type { PooledCloud, PooledGroup } from "./pooled-cloud.ts";
import { PooledMachine, PooledMachinePool } from "./pooled-kinds.ts";

const scheme = "pooled://";
const defaultSize = "small";

const providerIDOf = (tag: string, id: string): string => `${scheme}${tag}/${id}`;

/** Group and id of a provider id. */
const placeOf = ({ spec }: PooledMachine): { readonly tag: string; readonly id: string } => {
  const [tag = "", id = ""] = (spec.providerID ?? "").slice(scheme.length).split("/");
  return { tag, id };
};

const handOver = async ({
  bootstrap,
  bootstrapDigest: digest = "",
  object,
}: PoolBootstrap & PoolWriting & { object: PooledMachinePool }) => {
  const { bytes } = await bootstrap.deliver(userDataRoutes({ limitBytes: 16_384 }));
  return { size: object.spec.size ?? defaultSize, userData: Buffer.from(bytes).toString("utf8"), digest };
};

/** Groups in memory as pools of machines. */
const pools = (cloud: PooledCloud): InfraMachinePoolAuthor<PooledMachinePool, undefined, MemoryCluster> => ({
  kind: PooledMachinePool,
  clusterKind: MemoryCluster,
  machineKind: PooledMachine,
  finalizer: `${Group.infrastructure}/pooledmachinepool`,
  observe: async ({ bootstrapDigest, call, identity, object }) => {
    const group = await cloud.calls.make("read", () => cloud.groups.get(identity.tag), call);
    if (group === undefined) return absent();
    const size = object.spec.size ?? defaultSize;
    const members = group.instances.map(({ createdAt, id, size: own }) => ({
      name: `${identity.name}-${id}`,
      providerID: providerIDOf(group.tag, id),
      createdAt,
      upToDate: own === size,
    }));
    const facts = { handle: group.tag, capacity: group.capacity, members };
    const isCurrent = group.size === size && (bootstrapDigest === undefined || group.digest === bootstrapDigest);
    return present(isCurrent ? facts : { ...facts, step: "update" });
  },
  create: async (context) => {
    const model = await handOver(context);
    const { call, capacity, identity } = context;
    await cloud.calls.make("create", () => cloud.put(identity.tag, model, capacity), call);
  },
  steps: {
    update: async (context) => {
      const model = await handOver(context);
      await cloud.calls.make("update", () => cloud.put(context.handle, model), context.call);
    },
  },
  scale: ({ call, capacity, handle }) => cloud.calls.make("resize", () => cloud.resize(handle, capacity), call),
  remove: ({ call, handle }) => cloud.calls.make("delete", () => void cloud.groups.delete(handle), call),
});

const instanceOf = (group: PooledGroup | undefined, id: string) =>
  group?.instances.find((instance) => instance.id === id);

/** Their machines. They are made with their group, and deleted one by one. */
const members = (cloud: PooledCloud): InfraMachineAuthor<PooledMachine, undefined, never, MemoryCluster> => ({
  kind: PooledMachine,
  clusterKind: MemoryCluster,
  finalizer: `${Group.infrastructure}/pooledmachine`,
  observe: async ({ call, object }) => {
    const { id, tag } = placeOf(object);
    const found = await cloud.calls.make("read", () => instanceOf(cloud.groups.get(tag), id), call);
    return found === undefined
      ? machine.absent()
      : machine.present({ handle: id, providerID: providerIDOf(tag, id), addresses: [] });
  },
  create: async () => undefined,
  remove: async ({ call, object }) => {
    const { id, tag } = placeOf(object);
    await cloud.calls.make("delete instance", () => cloud.deleteInstance(tag, id), call);
  },
});

/** An infrastructure provider of machine pools over a cloud in memory: the smallest whole example of one. */
export const createPooledProvider = (cloud: PooledCloud): ProviderV1 =>
  defineProvider({
    name: "infra-pooled",
    kinds: [PooledMachinePool, PooledMachine],
    register: (host) => {
      host.add(infraMachinePool(pools(cloud)));
      host.add(machine.infraMachine(members(cloud)));
    },
  });

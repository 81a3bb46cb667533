import type { InfraMachinePoolSubject } from "../conformance/infra-machine-pool-subject.ts";
import { MemoryCluster } from "../infra-memory/memory-kinds.ts";
import { PooledCloud } from "../infra-pooled/pooled-cloud.ts";
import { PooledMachine, PooledMachinePool } from "../infra-pooled/pooled-kinds.ts";
import { createPooledProvider } from "../infra-pooled/pooled-provider.ts";

/** The provider of pools in memory as a subject of the suite. */
export const pooledSubject: InfraMachinePoolSubject = {
  kinds: [MemoryCluster, PooledMachinePool, PooledMachine],
  poolKind: PooledMachinePool,
  machineKind: PooledMachine,
  clusterKind: MemoryCluster,
  clusterSpec: {},
  poolSpec: { size: "small" },
  change: { size: "large" },
  start: async ({ clock }) => {
    const cloud = new PooledCloud({ clock });
    let hook: (call: string, phase: "before" | "after") => void = () => undefined;
    cloud.calls.onCall = (operation, phase) => {
      if (operation !== "read") hook(operation, phase);
    };
    const groupOf = (uid: string) => [...cloud.groups.values()].find(({ tag }) => tag.endsWith(uid));
    return {
      provider: () => createPooledProvider(cloud),
      machines: (uid) => {
        const group = groupOf(uid);
        return group?.instances.map(({ id, size }) => ({
          providerID: `pooled://${group.tag}/${id}`,
          upToDate: size === group.size,
        }));
      },
      userData: (uid) => groupOf(uid)?.userData ?? "",
      destroy: (uid, providerID) => {
        const group = groupOf(uid);
        if (group !== undefined) cloud.deleteInstance(group.tag, providerID.split("/").at(-1) ?? "");
      },
      resize: (uid, capacity) => cloud.resize(groupOf(uid)?.tag ?? "", capacity),
      onCall: (next) => {
        hook = next;
      },
    };
  },
};

import { isCapstanError, Label } from "@capstan/contract";
import { ClusterResource, ConfigMapResource, MachineResource, ownerReference, valueAt } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { permission, watched } from "../../engine/permissions.ts";
import { besideCluster, type ClusterAccess } from "./cluster-access.ts";

const dataKey = "lock-information";
const suffix = "-lock";

/** Permissions of a controller on locks. */
export const initLockPermissions = [
  watched(ConfigMapResource, ["get", "create", "delete"]),
  permission(MachineResource, [], { rarely: { get: "the lock is held by another Machine" } }),
];

/**
 * The lock that lets one control-plane Machine of a Cluster make its first Node: ConfigMap `<cluster>-lock`, key `lock-information` =
 * `{"machineName":"<machine>"}`, the same object upstream's providers use, so both can share a cluster. It is an object, so it outlives
 * the process: the Machine that holds it holds it still after a crash.
 */
export interface InitLock {
  /** True when this Machine holds the lock. A holder that no longer exists loses it. */
  acquire(machineName: string): Promise<boolean>;
  release(): Promise<void>;
}

/** The name in the lock; empty when it cannot be read. */
const holderOf = (lock: KubeObject): string => {
  const { data } = lock as { readonly data?: Readonly<Record<string, string>> };
  try {
    const name = valueAt(JSON.parse(data?.[dataKey] ?? ""), "machineName");
    return typeof name === "string" ? name : "";
  } catch (error) {
    if (error instanceof SyntaxError) return "";
    throw error;
  }
};

/** The name of the lock of a Cluster. */
export const lockName = (cluster: string): string => `${cluster}${suffix}`;

/** The name of the Cluster whose lock the ConfigMap of this name would be. */
export const clusterOfLock = (name: string): string | undefined =>
  name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined;

/** The lock of a Cluster; nothing is asked before it is used. */
export const initLock = (access: ClusterAccess): InitLock => {
  const { call, client, cluster } = access;
  const { name: clusterName = "" } = cluster.metadata;
  const key = besideCluster(access, lockName(clusterName));
  const mayBeThere = access.mayBeLocked ?? (() => true);

  const exists = async (machine: string): Promise<boolean> =>
    machine !== "" && (await client.find(MachineResource, besideCluster(access, machine), call)) !== undefined;

  /** Only this very lock: another one may have been made meanwhile. */
  const drop = async ({ metadata: { uid = "" } }: KubeObject): Promise<void> => {
    try {
      await client.delete(ConfigMapResource, key, { ...call, preconditions: { uid } });
    } catch (error) {
      if (!isCapstanError(error, "kube.conflict")) throw error;
    }
  };

  return {
    acquire: async (machineName) => {
      const present = mayBeThere() ? await client.find(ConfigMapResource, key, call) : undefined;
      if (present !== undefined) {
        const holder = holderOf(present);
        if (holder === machineName) return true;
        if (await exists(holder)) return false;
        await drop(present);
      }
      try {
        await client.create(ConfigMapResource, lockObject(access, key, machineName), call);
        return true;
      } catch (error) {
        if (isCapstanError(error, "kube.already_exists")) return false;
        throw error;
      }
    },
    release: async () => {
      if (mayBeThere() && (await client.find(ConfigMapResource, key, call)) !== undefined) {
        await client.delete(ConfigMapResource, key, call);
      }
    },
  };
};

const lockObject = (
  { cluster }: ClusterAccess,
  key: { readonly namespace: string; readonly name: string },
  machineName: string,
): KubeObject => ({
  apiVersion: "v1",
  kind: ConfigMapResource.kind,
  metadata: {
    ...key,
    labels: { [Label.clusterName]: cluster.metadata.name ?? "" },
    ownerReferences: [ownerReference(ClusterResource, cluster)],
  },
  data: { [dataKey]: JSON.stringify({ machineName }) },
});

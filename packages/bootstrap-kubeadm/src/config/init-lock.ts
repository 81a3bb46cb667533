import { isCapstanError, Label } from "@capstan/contract";
import { ClusterResource, ConfigMapResource, MachineResource, ownerReference } from "@capstan/contract/wire";
import { permission } from "@capstan/kit";
import type { Client } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";

const dataKey = "lock-information";

export const initLockPermissions = [
  permission(ConfigMapResource, ["get", "create", "delete"]),
  permission(MachineResource, [], { rarely: { get: "the lock is held by another Machine" } }),
];

/**
 * The lock that lets one control-plane Machine of a Cluster run `kubeadm init`: ConfigMap `<cluster>-lock`, key
 * `lock-information` = `{"machineName":"<machine>"}`, the same object upstream's provider uses, so both can share a cluster.
 */
export interface InitLock {
  /** True when this Machine holds the lock. A holder that no longer exists is removed; the next call may succeed. */
  acquire(machineName: string): Promise<boolean>;
  release(): Promise<void>;
}

export const initLock = (client: Client, cluster: KubeObject, call: { readonly signal: AbortSignal }): InitLock => {
  const namespace = cluster.metadata.namespace ?? "";
  const name = `${cluster.metadata.name ?? ""}-lock`;
  const key = { namespace, name };

  const holder = async (): Promise<string | undefined> => {
    const found = await client.find(ConfigMapResource, key, call);
    if (found === undefined) return undefined;
    const text = (found["data"] as Readonly<Record<string, string>> | undefined)?.[dataKey];
    try {
      return (JSON.parse(text ?? "") as { machineName?: string }).machineName ?? "";
    } catch (error) {
      if (error instanceof SyntaxError) return "";
      throw error;
    }
  };

  return {
    acquire: async (machineName) => {
      const present = await holder();
      if (present === machineName) return true;
      if (present !== undefined) {
        const machine =
          present === "" ? undefined : await client.find(MachineResource, { namespace, name: present }, call);
        if (machine === undefined) await client.delete(ConfigMapResource, key, call);
        return false;
      }
      try {
        await client.create(ConfigMapResource, lockObject(cluster, key, machineName), call);
        return true;
      } catch (error) {
        if (isCapstanError(error, "kube.already_exists")) return false;
        throw error;
      }
    },
    release: async () => {
      if ((await client.find(ConfigMapResource, key, call)) !== undefined) {
        await client.delete(ConfigMapResource, key, call);
      }
    },
  };
};

const lockObject = (
  cluster: KubeObject,
  key: { readonly namespace: string; readonly name: string },
  machineName: string,
): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: {
    ...key,
    labels: { [Label.clusterName]: cluster.metadata.name ?? "" },
    ownerReferences: [ownerReference(ClusterResource, cluster)],
  },
  data: { [dataKey]: JSON.stringify({ machineName }) },
});

import { rmSync } from "node:fs";
import { clusterSecretName, ClusterResource, SecretResource } from "@capstan/contract/wire";
import type { Cache, Client } from "@capstan/kube";
import { fromBase64 } from "@capstan/kube-values";
import type { DataFolder } from "./data-folder.ts";
import type { WorkloadKubeconfig } from "./next-steps.ts";

const fileOf = (namespace: string, name: string): string =>
  namespace === "default" ? `${name}.kubeconfig` : `${namespace}.${name}.kubeconfig`;

/** Removes the kubeconfig of every cluster that goes. */
export const removeKubeconfigsOfDeleted = (cache: Cache, data: DataFolder): void => {
  cache.informer(ClusterResource).subscribe(({ type, object }) => {
    if (type !== "deleted") return;
    const { name = "", namespace = "" } = object.metadata;
    rmSync(data.file(fileOf(namespace, name)), { force: true });
  });
};

/** Writes the kubeconfigs of the workload clusters that have one into the folder. */
export const writeWorkloadKubeconfigs = async (
  client: Client,
  data: DataFolder,
  signal: AbortSignal,
): Promise<readonly WorkloadKubeconfig[]> => {
  const written: WorkloadKubeconfig[] = [];
  const { items } = await client.list(ClusterResource, { signal });
  for (const { metadata } of items) {
    const { name = "", namespace = "" } = metadata;
    const secret = await client.find(
      SecretResource,
      { namespace, name: clusterSecretName(name, "kubeconfig") },
      { signal },
    );
    const value = (secret?.["data"] as Readonly<Record<string, string>> | undefined)?.["value"];
    if (value === undefined) continue;
    written.push({ namespace, name, path: data.writeSecret(fileOf(namespace, name), fromBase64(value)) });
  }
  return written;
};

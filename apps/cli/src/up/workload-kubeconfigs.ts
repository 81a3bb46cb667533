import { rmSync } from "node:fs";
import type { ProxyFor } from "@capstan/contract";
import { clusterSecretName, ClusterResource, SecretResource } from "@capstan/contract/wire";
import type { Cache, Client } from "@capstan/kube";
import { fromBase64 } from "@capstan/kube-values";
import { parseKubeconfig, renderKubeconfig } from "@capstan/pki";
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

/** With the proxy on the way to its server, if there is one. */
const withProxy = (kubeconfig: string, proxyFor: ProxyFor): string => {
  const config = parseKubeconfig(kubeconfig);
  const proxyUrl = proxyFor(config.server);
  return proxyUrl === undefined ? kubeconfig : renderKubeconfig({ ...config, proxyUrl });
};

/**
 * Writes the kubeconfigs of the workload clusters that have one into the folder. `proxyFor`: the way to clusters that are reached inside of
 * simulated networks alone.
 */
export const writeWorkloadKubeconfigs = async (
  client: Client,
  { data, proxyFor, signal }: { readonly data: DataFolder; readonly proxyFor: ProxyFor; readonly signal: AbortSignal },
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
    const kubeconfig = withProxy(fromBase64(value), proxyFor);
    written.push({ namespace, name, path: data.writeSecret(fileOf(namespace, name), kubeconfig) });
  }
  return written;
};

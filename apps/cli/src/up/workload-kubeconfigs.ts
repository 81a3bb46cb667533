import { rmSync } from "node:fs";
import { SecretPurpose, type ProxyFor } from "@capstan/contract";
import { clusterSecretName, ClusterResource, SecretResource } from "@capstan/contract/wire";
import type { Cache, Client } from "@capstan/kube";
import { fromBase64, type ObjectKey } from "@capstan/kube-values";
import { parseKubeconfig, renderKubeconfig } from "@capstan/pki";
import type { KubeObject } from "@capstan/schema";
import type { View } from "../view/view.ts";
import type { DataFolder } from "./data-folder.ts";
import type { WorkloadKubeconfig } from "./next-steps.ts";

/** Namespaces have no dots: with one, the name of a file begins with the namespace, and is no one else's. */
const fileOf = (namespace: string, name: string): string =>
  namespace === "default" && !name.includes(".") ? `${name}.kubeconfig` : `${namespace}.${name}.kubeconfig`;

/** Removes the kubeconfig of every cluster that goes. */
export const removeKubeconfigsOfDeleted = (cache: Cache, data: DataFolder): void => {
  cache.informer(ClusterResource).subscribe(({ type, object }) => {
    if (type !== "deleted") return;
    const { name = "", namespace = "" } = object.metadata;
    rmSync(data.file(fileOf(namespace, name)), { force: true });
  });
};

/**
 * Returns a kubeconfig with only the known fields of cluster and user; with the proxy to its server, if there is one.
 */
const safeText = (kubeconfig: string, proxyFor: ProxyFor): string => {
  const config = parseKubeconfig(kubeconfig);
  const proxyUrl = proxyFor(config.server);
  return renderKubeconfig({ ...config, ...(proxyUrl !== undefined && { proxyUrl }) });
};

interface Writing {
  readonly data: DataFolder;
  readonly proxyFor: ProxyFor;
  readonly view: View;
  readonly signal: AbortSignal;
}

const writeOne = (
  key: Required<ObjectKey>,
  secret: KubeObject | undefined,
  { data, proxyFor, view }: Writing,
): readonly WorkloadKubeconfig[] => {
  const value = (secret?.["data"] as Readonly<Record<string, string>> | undefined)?.["value"];
  if (value === undefined) return [];
  try {
    return [{ ...key, path: data.writeSecret(fileOf(key.namespace, key.name), safeText(fromBase64(value), proxyFor)) }];
  } catch (error) {
    // Whoever may write Secrets writes this one: it must not end the command.
    const name = clusterSecretName(key.name, SecretPurpose.kubeconfig);
    const why = error instanceof Error ? error.message : String(error);
    const text = `no kubeconfig written for cluster ${key.name} in namespace ${key.namespace}: Secret ${key.namespace}/${name} is not usable: ${why}`;
    view.say({ type: "warning", text, fields: { namespace: key.namespace, secret: name } });
    return [];
  }
};

/**
 * Writes the kubeconfigs of the workload clusters that have one into the folder; one that cannot be used is left out with a warning.
 * `proxyFor`: the way to clusters that are reached inside of simulated networks alone.
 */
export const writeWorkloadKubeconfigs = async (
  client: Client,
  options: Writing,
): Promise<readonly WorkloadKubeconfig[]> => {
  const { signal } = options;
  const written: WorkloadKubeconfig[] = [];
  const { items } = await client.list(ClusterResource, { signal });
  for (const { metadata } of items) {
    const { name = "", namespace = "" } = metadata;
    const secretKey = { namespace, name: clusterSecretName(name, SecretPurpose.kubeconfig) };
    const secret = await client.find(SecretResource, secretKey, { signal });
    written.push(...writeOne({ namespace, name }, secret, options));
  }
  return written;
};

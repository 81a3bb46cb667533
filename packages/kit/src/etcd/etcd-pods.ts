import type { Client } from "@capstan/kube";
import { type KubeObject, resource } from "@capstan/schema";

const Pods = resource<KubeObject & { readonly spec?: { readonly nodeName?: string } }>({
  group: "",
  version: "v1",
  kind: "Pod",
  plural: "pods",
});

/** Static Pods of kubeadm and RKE2, and the proxies through which the etcd inside of k3s is reached. */
const selectors = ["component=etcd", "app=etcd-proxy"];

/** Names of the Pods in kube-system through which members of etcd are reached, by the names of their Nodes. */
export const etcdPods = async (
  workload: Client,
  call: { readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, string>> => {
  const lists = await Promise.all(
    selectors.map((labelSelector) => workload.list(Pods, { namespace: "kube-system", labelSelector, ...call })),
  );
  return new Map(
    lists
      .toReversed()
      .flatMap(({ items }) => items.map(({ metadata, spec }) => [spec?.nodeName ?? "", metadata.name ?? ""] as const)),
  );
};

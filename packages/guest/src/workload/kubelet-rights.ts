import type { Client } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";
import { resource } from "@capstan/schema";

const SubjectAccessReview = resource({
  group: "authorization.k8s.io",
  version: "v1",
  kind: "SubjectAccessReview",
  plural: "subjectaccessreviews",
  namespaced: false,
});

/** As whom the API servers that kubeadm starts ask kubelets. */
export const kubeletClient = "kube-apiserver-kubelet-client";

/** From this minor version on, kubeadm binds that user to its role; before, it was in a group that may do everything. */
const bindingSince = 36;

export const bindsKubeletClient = (kubernetesVersion: string): boolean =>
  Number(/^v?1\.(\d+)\./.exec(kubernetesVersion)?.[1] ?? 0) >= bindingSince;

/** As a kubelet answers an API server that asks for a port (`create`) or a log (`get`): rejects in its words when the API server's user may not. */
export const checkKubeletRights = async (client: Client, verb: "create" | "get"): Promise<void> => {
  const attributes = { group: "", resource: "nodes", subresource: "proxy", verb };
  const review = await client.create<KubeObject>(SubjectAccessReview, {
    apiVersion: "authorization.k8s.io/v1",
    kind: SubjectAccessReview.kind,
    metadata: {},
    spec: { user: kubeletClient, groups: ["system:authenticated"], resourceAttributes: attributes },
  });
  const { allowed } = (review["status"] ?? {}) as { readonly allowed?: boolean };
  if (allowed === true) return;
  const upgrade = verb === "create" ? "unable to upgrade connection: " : "";
  throw new Error(`${upgrade}Forbidden (user=${kubeletClient}, verb=${verb}, resource=nodes, subresource(s)=[proxy])`);
};

import type { Client } from "@capstan/kube";
import { toBase64 } from "@capstan/kube-values";
import { resource, type KubeObject, type Resource } from "@capstan/schema";
import { stringify } from "yaml";
import { ConfigMap } from "../kinds/workload-kinds.ts";
import { kubeletClient } from "./kubelet-rights.ts";
import { createOnce } from "./create-once.ts";

const rbac = (kind: string, plural: string, namespaced: boolean): Resource =>
  resource({ group: "rbac.authorization.k8s.io", version: "v1", kind, plural, namespaced });

const Role = rbac("Role", "roles", true);
const RoleBinding = rbac("RoleBinding", "rolebindings", true);
const ClusterRole = rbac("ClusterRole", "clusterroles", false);
const ClusterRoleBinding = rbac("ClusterRoleBinding", "clusterrolebindings", false);

const rbacVersion = "rbac.authorization.k8s.io/v1";
const tokenGroup = {
  kind: "Group",
  apiGroup: "rbac.authorization.k8s.io",
  name: "system:bootstrappers:kubeadm:default-node-token",
};
const nodesGroup = { ...tokenGroup, name: "system:nodes" };
const apiServerUser = { kind: "User", apiGroup: "rbac.authorization.k8s.io", name: kubeletClient };
const anonymous = { kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "system:anonymous" };

const roleRef = (kind: "Role" | "ClusterRole", name: string) => ({ apiGroup: "rbac.authorization.k8s.io", kind, name });

const clusterRoleBinding = (name: string, role: string, subject: object): readonly [Resource, KubeObject] => [
  ClusterRoleBinding,
  {
    apiVersion: rbacVersion,
    kind: "ClusterRoleBinding",
    metadata: { name },
    roleRef: roleRef("ClusterRole", role),
    subjects: [subject],
  },
];

const namespaced = (
  namespace: string,
  name: string,
  rules: readonly object[],
  subjects: readonly object[],
): readonly (readonly [Resource, KubeObject])[] => [
  [Role, { apiVersion: rbacVersion, kind: "Role", metadata: { namespace, name }, rules }],
  [
    RoleBinding,
    {
      apiVersion: rbacVersion,
      kind: "RoleBinding",
      metadata: { namespace, name },
      roleRef: roleRef("Role", name),
      subjects,
    },
  ],
];

const readConfigMap = (name: string) => ({
  apiGroups: [""],
  resources: ["configmaps"],
  resourceNames: [name],
  verbs: ["get"],
});

/** The objects `kubeadm init` leaves in a new cluster: cluster-info for discovery, its own configuration, and the rights of tokens and nodes. */
const initObjects = (facts: {
  readonly server: string;
  readonly authority: string;
  readonly clusterConfiguration: object;
  readonly kubeletConfiguration: object;
  readonly bindsKubeletClient: boolean;
}): readonly (readonly [Resource, KubeObject])[] => [
  [
    ConfigMap,
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { namespace: "kube-public", name: "cluster-info" },
      data: { kubeconfig: clusterInfo(facts.server, facts.authority) },
    },
  ],
  [
    ConfigMap,
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { namespace: "kube-system", name: "kubeadm-config" },
      data: { ClusterConfiguration: stringify(facts.clusterConfiguration) },
    },
  ],
  [
    ConfigMap,
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { namespace: "kube-system", name: "kubelet-config" },
      data: { kubelet: stringify(facts.kubeletConfiguration) },
    },
  ],
  ...namespaced("kube-public", "kubeadm:bootstrap-signer-clusterinfo", [readConfigMap("cluster-info")], [anonymous]),
  ...namespaced(
    "kube-system",
    "kubeadm:nodes-kubeadm-config",
    [readConfigMap("kubeadm-config")],
    [tokenGroup, nodesGroup],
  ),
  ...namespaced("kube-system", "kubeadm:kubelet-config", [readConfigMap("kubelet-config")], [tokenGroup, nodesGroup]),
  [
    ClusterRole,
    {
      apiVersion: rbacVersion,
      kind: "ClusterRole",
      metadata: { name: "kubeadm:get-nodes" },
      rules: [{ apiGroups: [""], resources: ["nodes"], verbs: ["get"] }],
    },
  ],
  clusterRoleBinding("kubeadm:get-nodes", "kubeadm:get-nodes", tokenGroup),
  clusterRoleBinding("kubeadm:kubelet-bootstrap", "system:node-bootstrapper", tokenGroup),
  ...(facts.bindsKubeletClient
    ? [clusterRoleBinding("kubeadm:apiserver-kubelet-client", "system:kubelet-api-admin", apiServerUser)]
    : []),
];

/** kubeadm publishes a kubeconfig without user and context: it shows nothing but server and authority. */
const clusterInfo = (server: string, authority: string): string =>
  stringify({
    apiVersion: "v1",
    clusters: [{ cluster: { "certificate-authority-data": toBase64(authority), server }, name: "" }],
    contexts: null,
    "current-context": "",
    kind: "Config",
    preferences: {},
    users: null,
  });

/** Writes what is missing; a repeated init finds everything in place. */
export const installInitObjects = async (
  client: Client,
  facts: Parameters<typeof initObjects>[0],
  call: { readonly signal: AbortSignal },
): Promise<void> => {
  for (const [kind, object] of initObjects(facts)) {
    await createOnce(client, kind, object, call.signal);
  }
};

import { isCapstanError } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import { apiVersionOf, resource } from "@capstan/schema";
import type { Call } from "./call.ts";

const group = "rbac.authorization.k8s.io";

export const ClusterRole = resource({
  group,
  version: "v1",
  kind: "ClusterRole",
  plural: "clusterroles",
  namespaced: false,
});
export const ClusterRoleBinding = resource({
  group,
  version: "v1",
  kind: "ClusterRoleBinding",
  plural: "clusterrolebindings",
  namespaced: false,
});

/** Bindings that kubeadm creates on init: for the holder of admin.conf, and for API servers that ask kubelets. */
export const bindings = [
  { name: "kubeadm:cluster-admins", role: "cluster-admin", subject: { kind: "Group", name: "kubeadm:cluster-admins" } },
  {
    name: "kubeadm:apiserver-kubelet-client",
    role: "system:kubelet-api-admin",
    subject: { kind: "User", name: "kube-apiserver-kubelet-client" },
  },
] as const;

/**
 * Makes the bindings that machines of a newer kubeadm rely on and an older one did not make: a cluster whose Machines are replaced is
 * never begun again, nor upgraded by kubeadm. Without them, new API servers reach no kubelet: no logs, no forwarded ports, no etcd.
 */
export const ensureKubeadmPermissions = async (client: Client, call: Call): Promise<void> => {
  for (const { name, role, subject } of bindings) {
    if ((await client.find(ClusterRoleBinding, { name }, call)) !== undefined) continue;
    const object = {
      apiVersion: apiVersionOf(ClusterRoleBinding),
      kind: ClusterRoleBinding.kind,
      metadata: { name },
      roleRef: { apiGroup: group, kind: ClusterRole.kind, name: role },
      subjects: [{ apiGroup: group, ...subject }],
    };
    try {
      await client.create(ClusterRoleBinding, object, call);
    } catch (error) {
      if (!isCapstanError(error, "kube.already_exists")) throw error;
    }
  }
};

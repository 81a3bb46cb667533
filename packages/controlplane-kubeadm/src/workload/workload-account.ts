import { ConfigMapResource, NodeResource, SecretResource } from "@capstan/contract/wire";
import { type WorkloadAccount, workloadPermission } from "@capstan/kit/workload";
import { coreDnsKey, Deployment } from "./core-dns.ts";
import { DaemonSet, kubeProxyKey } from "./kube-proxy.ts";
import { kubeadmConfigKey } from "./kubeadm-config-map.ts";
import { bindings, ClusterRole, ClusterRoleBinding } from "./kubeadm-permissions.ts";
import { PodResource } from "./member-health.ts";

const namespace = "kube-system";
const only = ({ name }: { readonly name: string }) => ({ namespace, names: [name] });

/** Where the API server looks for a bootstrap token. */
export const tokenSecretKey = (token: string) => ({
  namespace,
  name: `bootstrap-token-${token.split(".", 1)[0] ?? ""}`,
});

/**
 * As whom control planes are looked after in workload clusters. That it may bind two roles of kubeadm is no more than it has: it holds the
 * authority of the cluster.
 */
export const workloadAccount: WorkloadAccount = {
  name: "controlplane-kubeadm",
  permissions: [
    workloadPermission(NodeResource, ["list"]),
    workloadPermission(ClusterRoleBinding, ["get"], { names: bindings.map(({ name }) => name) }),
    workloadPermission(ClusterRoleBinding, ["create"]),
    workloadPermission(ClusterRole, ["bind"], { names: bindings.map(({ role }) => role) }),
    workloadPermission(PodResource, ["list"], { namespace }),
    workloadPermission(PodResource, ["create"], { subresource: "portforward", namespace }),
    workloadPermission(ConfigMapResource, ["get", "patch"], only(kubeadmConfigKey)),
    workloadPermission(ConfigMapResource, ["get", "patch"], only(coreDnsKey)),
    workloadPermission(Deployment, ["get", "patch"], only(coreDnsKey)),
    workloadPermission(SecretResource, ["delete"], { namespace }),
    workloadPermission(DaemonSet, ["get", "patch"], only(kubeProxyKey)),
  ],
};

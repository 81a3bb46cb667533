import { NodeResource, SecretResource } from "@capstan/contract/wire";
import { type WorkloadAccount, workloadPermission } from "@capstan/kit/workload";
import { resource } from "@capstan/schema";

const namespace = "kube-system";
const PodResource = resource({ group: "", version: "v1", kind: "Pod", plural: "pods" });

/** As whom control planes are looked after in workload clusters. */
export const workloadAccount: WorkloadAccount = {
  name: "controlplane-rke2-k3s",
  permissions: [
    workloadPermission(NodeResource, ["get", "list", "patch"]),
    workloadPermission(PodResource, ["list"], { namespace }),
    workloadPermission(PodResource, ["create"], { subresource: "portforward", namespace }),
    workloadPermission(SecretResource, ["get"], { namespace, names: ["k3s-serving", "rke2-serving"] }),
  ],
};

import { NodeResource, SecretResource } from "@capstan/contract/wire";
import { type WorkloadAccount, workloadPermission } from "@capstan/kit/workload";
import { tokenNamespace } from "./bootstrap-token.ts";

/** As whom tokens are kept in workload clusters, and Nodes looked for that have joined by them. */
export const workloadAccount: WorkloadAccount = {
  name: "bootstrap-kubeadm",
  permissions: [
    workloadPermission(NodeResource, ["list"]),
    workloadPermission(SecretResource, ["get", "create", "patch", "delete"], { namespace: tokenNamespace }),
  ],
};

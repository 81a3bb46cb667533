import type { WorkloadAccount } from "@capstan/kit/workload";
import { workloadClusters, workloadPermission } from "@capstan/kit/workload";
import type { Environment, Reconcile } from "@capstan/runtime";
import { DaemonSets, Namespaces, Nodes, PersistentVolumes, Pods, VolumeAttachments } from "./workload-kinds.ts";

/** As whom the controllers work in workload clusters: Nodes follow their Machines, and are drained. */
export const coreAccount: WorkloadAccount = {
  name: "core",
  permissions: [
    workloadPermission(Nodes, ["get", "patch", "delete"]),
    workloadPermission(Pods, ["list", "delete"]),
    workloadPermission(Pods, ["create"], { subresource: "eviction" }),
    workloadPermission(DaemonSets, ["get"]),
    workloadPermission(Namespaces, ["get"]),
    workloadPermission(PersistentVolumes, ["list"]),
    workloadPermission(VolumeAttachments, ["list"]),
  ],
};

const workloadOf = (environment: Environment) => environment.service(workloadClusters).as(coreAccount);

/** A reconcile that needs access to workload clusters, which only the running application has. */
export const withWorkload =
  (make: (workload: ReturnType<typeof workloadOf>) => Reconcile): Reconcile =>
  (request, context) =>
    make(workloadOf(context))(request, context);

import type { ControllerPermissionsV1, ControllerV1 } from "@capstan/contract/v1";
import { SecretResource } from "@capstan/contract/wire";
import { eventPermissions, permission, watched } from "@capstan/kit";
import { ObjectSaver } from "@capstan/kit/engine";
import { externalObjects } from "@capstan/kit/machines";
import { controller, watch, watchMapped } from "@capstan/runtime";
import { Cluster, Machine, MachineDeployment, MachinePool, MachineSet } from "../api.ts";
import { declareIndexes } from "../object/indexes.ts";
import { clusterIntervalMs, paced } from "../object/pace.ts";
import { lookups, owner, reconciled } from "../object/permissions.ts";
import { withWorkload } from "../object/workload-account.ts";
import type { CoreOptions } from "../options.ts";
import { toCluster, workloadSource, workloadToCluster } from "../sources.ts";
import { DepartedMachines } from "./departed-machines.ts";
import { clusterNews } from "./news.ts";
import { reconcileCluster } from "./reconcile.ts";

/** Requests of the controller of Clusters: what is left of one is deleted in order, and of Machines that are gone, their Nodes. */
const permissions: ControllerPermissionsV1 = {
  own: [
    ...lookups,
    ...reconciled(Cluster),
    owner(Cluster),
    permission(MachineDeployment, ["delete"]),
    permission(MachineSet, [], { rarely: { delete: "a MachineSet without a MachineDeployment" } }),
    permission(MachinePool, ["delete"]),
    permission(Machine, ["delete"], { rarely: { get: "a Machine that is not seen yet" } }),
    watched(SecretResource, ["get", "create"]),
    ...eventPermissions,
  ],
};

/** The controller of Clusters. */
export const clusterController = (options: CoreOptions): ControllerV1 => {
  const externals = externalObjects(Cluster);
  const saver = new ObjectSaver({ kind: Cluster, news: clusterNews });
  let since = 0;
  const departed = new DepartedMachines();
  return controller({
    name: "cluster",
    permissions,
    concurrency: options.concurrency,
    minIntervalMs: paced(clusterIntervalMs),
    setup: (environment) => {
      since = environment.clock.now();
      declareIndexes(environment.cache);
    },
    sources: [
      watch(Cluster),
      watchMapped(Machine, toCluster),
      watchMapped(MachineSet, toCluster),
      watchMapped(MachineDeployment, toCluster),
      watchMapped(MachinePool, toCluster),
      workloadSource(workloadToCluster),
      externals,
      saver.source,
    ],
    reconcile: withWorkload((workload) => reconcileCluster({ options, externals, workload, saver, departed, since })),
  });
};

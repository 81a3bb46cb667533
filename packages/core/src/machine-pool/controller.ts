import type { ControllerPermissionsV1, ControllerV1 } from "@capstan/contract/v1";
import { eventPermissions, permission } from "@capstan/kit";
import { ObjectSaver } from "@capstan/kit/engine";
import { externalObjects, machineSync } from "@capstan/kit/machines";
import { controller, watch, watchMapped } from "@capstan/runtime";
import { Cluster, Machine, MachinePool } from "../api.ts";
import { declareIndexes } from "../object/indexes.ts";
import { minIntervalMs, paced } from "../object/pace.ts";
import { clusterOfObject, lookups, owner, reconciled } from "../object/permissions.ts";
import { withWorkload } from "../object/workload-account.ts";
import type { CoreOptions } from "../options.ts";
import {
  clusterFactsChanged,
  infraMachineToPools,
  machineToPools,
  ofClusterRequests,
  workloadSource,
  workloadToPools,
} from "../sources.ts";
import { reconcileMachinePool } from "./reconcile.ts";

/** Requests of the controller of MachinePools: it makes, changes and deletes the Machines of those whose infrastructure has machines. */
const permissions: ControllerPermissionsV1 = {
  own: [
    ...lookups,
    ...reconciled(MachinePool),
    ...clusterOfObject,
    owner(MachinePool),
    permission(Machine, ["list", "create", "patch", "delete"], { rarely: { get: "a Machine that is not seen yet" } }),
    ...eventPermissions,
  ],
};

/** The controller of MachinePools. */
export const machinePoolController = (options: CoreOptions): ControllerV1 => {
  const externals = externalObjects(MachinePool, undefined, infraMachineToPools);
  const saver = new ObjectSaver({ kind: MachinePool });
  const nodeFailures = new Map<string, number>();
  const sync = machineSync();
  return controller({
    name: "machine-pool",
    permissions,
    concurrency: options.concurrency,
    minIntervalMs: paced(minIntervalMs, MachinePool),
    setup: ({ cache }) => declareIndexes(cache),
    sources: [
      watch(MachinePool),
      watchMapped(Machine, machineToPools),
      watchMapped(Cluster, ofClusterRequests(MachinePool), { when: clusterFactsChanged }),
      workloadSource(workloadToPools),
      externals,
      saver.source,
    ],
    reconcile: withWorkload((workload) =>
      reconcileMachinePool({ options, externals, workload, saver, sync, nodeFailures }),
    ),
  });
};

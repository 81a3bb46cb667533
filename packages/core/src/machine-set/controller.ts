import type { ControllerPermissionsV1, ControllerV1 } from "@capstan/contract/v1";
import { eventPermissions, permission } from "@capstan/kit";
import { ObjectSaver } from "@capstan/kit/engine";
import { externalObjects, Machines, machineSync } from "@capstan/kit/machines";
import { controller, watch, watchMapped } from "@capstan/runtime";
import { Cluster, Machine, MachineDeployment, MachineSet } from "../api.ts";
import { declareIndexes } from "../object/indexes.ts";
import { minIntervalMs, paced } from "../object/pace.ts";
import { clusterOfObject, lookups, owner, reconciled } from "../object/permissions.ts";
import type { CoreOptions } from "../options.ts";
import {
  clusterFactsChanged,
  deploymentToSets,
  machineToSets,
  ofClusterRequests,
  desiredStateChanged,
} from "../sources.ts";
import { reconcileMachineSet } from "./reconcile.ts";

/** Requests of the controller of MachineSets: it makes, changes and deletes their Machines. */
const permissions: ControllerPermissionsV1 = {
  own: [
    ...lookups,
    ...reconciled(MachineSet),
    ...clusterOfObject,
    owner(MachineSet),
    permission(Machine, ["list", "create", "patch", "delete"], { rarely: { get: "a Machine that is not seen yet" } }),
    permission(Machine, ["patch"], { subresource: "status" }),
    ...eventPermissions,
  ],
};

/** The controller of MachineSets. */
export const machineSetController = (options: CoreOptions): ControllerV1 => {
  const externals = externalObjects(MachineSet);
  const saver = new ObjectSaver({ kind: MachineSet });
  return controller({
    name: "machine-set",
    permissions,
    concurrency: options.concurrency,
    minIntervalMs: paced(minIntervalMs, MachineSet),
    setup: ({ cache }) => declareIndexes(cache),
    sources: [
      watch(MachineSet),
      watchMapped(Machine, machineToSets),
      watchMapped(MachineDeployment, deploymentToSets, { when: desiredStateChanged }),
      watchMapped(Cluster, ofClusterRequests(MachineSet), { when: clusterFactsChanged }),
      externals,
      saver.source,
    ],
    reconcile: reconcileMachineSet({
      saver,
      machineSaver: new ObjectSaver({ kind: Machines }),
      externals,
      sync: machineSync(),
    }),
  });
};

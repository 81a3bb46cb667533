import type { ControllerPermissionsV1, ControllerV1 } from "@capstan/contract/v1";
import { eventPermissions, permission } from "@capstan/kit";
import { ObjectSaver } from "@capstan/kit/engine";
import { createApplier, externalObjects } from "@capstan/kit/machines";
import { controller, watch, watchMapped } from "@capstan/runtime";
import { Cluster, Machine, MachineDeployment, MachineSet } from "../api.ts";
import { declareIndexes } from "../object/indexes.ts";
import { minIntervalMs, paced } from "../object/pace.ts";
import { clusterOfObject, lookups, owner, reconciled } from "../object/permissions.ts";
import type { CoreOptions } from "../options.ts";
import { clusterFactsChanged, machineToDeployments, ofClusterRequests, setToDeployments } from "../sources.ts";
import { reconcileMachineDeployment } from "./reconcile.ts";

/** Requests of the controller of MachineDeployments: it makes, changes and deletes their MachineSets. */
const permissions: ControllerPermissionsV1 = {
  own: [
    ...lookups,
    ...reconciled(MachineDeployment),
    ...clusterOfObject,
    owner(MachineDeployment),
    permission(MachineSet, ["list", "create", "patch", "delete"], {
      rarely: { get: "labels, annotations or fields that are taken back" },
    }),
    ...eventPermissions,
  ],
};

/** The controller of MachineDeployments. */
export const machineDeploymentController = (options: CoreOptions): ControllerV1 => {
  const externals = externalObjects(MachineDeployment);
  const saver = new ObjectSaver({ kind: MachineDeployment });
  const setApplier = createApplier({ spec: ["template", "deletion", "machineNaming"] });
  return controller({
    name: "machine-deployment",
    permissions,
    concurrency: options.concurrency,
    minIntervalMs: paced(minIntervalMs, MachineDeployment),
    setup: ({ cache }) => declareIndexes(cache),
    sources: [
      watch(MachineDeployment),
      watchMapped(MachineSet, setToDeployments),
      watchMapped(Machine, machineToDeployments),
      watchMapped(Cluster, ofClusterRequests(MachineDeployment), { when: clusterFactsChanged }),
      externals,
      saver.source,
    ],
    reconcile: reconcileMachineDeployment({ saver, externals, setApplier }),
  });
};

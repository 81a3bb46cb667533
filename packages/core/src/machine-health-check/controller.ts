import type { ControllerPermissionsV1, ControllerV1 } from "@capstan/contract/v1";
import { lookups, reconciled, clusterOfObject } from "../object/permissions.ts";
import { eventPermissions, permission } from "@capstan/kit";
import { ObjectSaver } from "@capstan/kit/engine";
import { externalObjects } from "@capstan/kit/machines";
import { annotationsChanged, anyOf, controller, generationChanged, watch, watchMapped } from "@capstan/runtime";
import { Cluster, Machine, MachineHealthCheck } from "../api.ts";
import { declareIndexes } from "../object/indexes.ts";
import { healthCheckIntervalMs } from "../object/pace.ts";
import { withWorkload } from "../object/workload-account.ts";
import type { CoreOptions } from "../options.ts";
import {
  clusterFactsChanged,
  healthChanged,
  healthCheckToOthers,
  machineToHealthChecks,
  ofClusterRequests,
  ownerToHealthChecks,
  workloadSource,
  workloadToHealthChecks,
} from "../sources.ts";
import { reconcileMachineHealthCheck } from "./reconcile.ts";

/** Requests of the controller of MachineHealthChecks: it marks Machines for remediation. */
const permissions: ControllerPermissionsV1 = {
  own: [
    ...lookups,
    ...reconciled(MachineHealthCheck),
    ...clusterOfObject,
    permission(Machine, ["patch"]),
    permission(Machine, ["patch"], { subresource: "status" }),
    ...eventPermissions,
  ],
};

/** The controller of MachineHealthChecks. */
export const machineHealthCheckController = (options: CoreOptions): ControllerV1 => {
  const externals = externalObjects(Machine, ownerToHealthChecks);
  const saver = new ObjectSaver({ kind: MachineHealthCheck });
  const machineSaver = new ObjectSaver({ kind: Machine });
  return controller({
    name: "machine-health-check",
    permissions,
    concurrency: options.concurrency,
    minIntervalMs: healthCheckIntervalMs,
    setup: ({ cache }) => declareIndexes(cache),
    sources: [
      watch(MachineHealthCheck),
      watchMapped(MachineHealthCheck, healthCheckToOthers, { when: anyOf(generationChanged, annotationsChanged) }),
      watchMapped(Machine, machineToHealthChecks, { when: healthChanged }),
      watchMapped(Cluster, ofClusterRequests(MachineHealthCheck), { when: clusterFactsChanged }),
      workloadSource(workloadToHealthChecks),
      externals,
      saver.source,
    ],
    reconcile: withWorkload((workload) => reconcileMachineHealthCheck({ saver, machineSaver, externals, workload })),
  });
};

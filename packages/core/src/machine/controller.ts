import type { ControllerPermissionsV1, ControllerV1 } from "@capstan/contract/v1";
import { eventPermissions, watched } from "@capstan/kit";
import { ObjectSaver } from "@capstan/kit/engine";
import { externalObjects } from "@capstan/kit/machines";
import { controller, generationChanged, watch, watchMapped } from "@capstan/runtime";
import { Cluster, Machine, MachineDeployment, MachineDrainRule, MachinePool, MachineSet } from "../api.ts";
import { declareIndexes } from "../object/indexes.ts";
import { clusterOfObject, lookups, owner, reconciled } from "../object/permissions.ts";
import { withWorkload } from "../object/workload-account.ts";
import type { CoreOptions } from "../options.ts";
import {
  clusterFactsChanged,
  deploymentToMachines,
  drainRuleToMachines,
  makingChanged,
  ofClusterRequests,
  poolToMachines,
  setToMachines,
  desiredStateChanged,
  workloadSource,
  workloadToMachines,
} from "../sources.ts";
import { machineNews } from "./news.ts";
import { reconcileMachine } from "./reconcile.ts";

/** Requests of the controller of Machines. */
const permissions: ControllerPermissionsV1 = {
  own: [
    ...lookups,
    ...reconciled(Machine),
    ...clusterOfObject,
    owner(Machine),
    watched(MachineDrainRule),
    ...eventPermissions,
  ],
};

/** The controller of Machines. */
export const machineController = (options: CoreOptions): ControllerV1 => {
  const externals = externalObjects(Machine);
  const saver = new ObjectSaver({ kind: Machine, news: machineNews });
  let since = 0;
  const nodeFailures = new Map<string, number>();
  return controller({
    name: "machine",
    permissions,
    concurrency: options.machineConcurrency,
    setup: (environment) => {
      since = environment.clock.now();
      declareIndexes(environment.cache);
    },
    sources: [
      watch(Machine),
      watchMapped(Cluster, ofClusterRequests(Machine), { when: clusterFactsChanged }),
      watchMapped(MachineDrainRule, drainRuleToMachines),
      watchMapped(MachineSet, setToMachines, { when: makingChanged }),
      watchMapped(MachineDeployment, deploymentToMachines, { when: desiredStateChanged }),
      watchMapped(MachinePool, poolToMachines, { when: generationChanged }),
      workloadSource(workloadToMachines),
      externals,
      saver.source,
    ],
    reconcile: withWorkload((workload) =>
      reconcileMachine({ options, externals, workload, saver, since, nodeFailures }),
    ),
  });
};

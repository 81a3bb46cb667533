import { Finalizer } from "@capstan/contract";
import { isBeingDeleted } from "@capstan/kube-values";
import type { Reconcile } from "@capstan/runtime";
import { MachinePool } from "../api.ts";
import { defaultMachinePool } from "../defaults/defaults.ts";
import { unreferenced } from "../external/observation.ts";
import { namedCluster } from "../object/named-cluster.ts";
import { ownedByCluster } from "../object/owners.ts";
import { reconcileObject } from "../object/reconcile-object.ts";
import { runSteps } from "../object/steps.ts";
import { reconcileDelete } from "./delete.ts";
import { cachedMachines, reconcileMachines } from "./machines.ts";
import { reconcileNodes } from "./nodes.ts";
import { reconcileBootstrap, reconcileInfrastructure } from "./references.ts";
import type { MachinePoolScope, MachinePoolServices } from "./scope.ts";
import { machinePoolStatus } from "./status.ts";

/** Brings one MachinePool a step further: what it refers to, its Machines and its Nodes, and through its deletion. */
export const reconcileMachinePool = (services: MachinePoolServices): Reconcile =>
  reconcileObject({
    kind: MachinePool,
    saver: services.saver,
    finalizer: Finalizer.machinePool,
    defaults: (pool) => defaultMachinePool(pool),
    cluster: namedCluster("Available"),
    owned: ownedByCluster,
    forget: ({ metadata }) => void services.nodeFailures.delete(metadata.uid ?? ""),
    work: async (pool, cluster, context) => {
      const scope: MachinePoolScope = {
        ...services,
        context,
        cluster,
        pool,
        bootstrap: unreferenced,
        infrastructure: unreferenced,
        machineKind: undefined,
        machines: cachedMachines(context, pool),
        nodes: undefined,
        deletion: undefined,
        failure: undefined,
      };
      const steps = [
        reconcileBootstrap,
        reconcileInfrastructure,
        reconcileMachines,
        reconcileNodes,
        ...(isBeingDeleted(pool) ? [reconcileDelete] : []),
      ];
      const outcome = await runSteps(
        steps.map((step) => () => step(scope)),
        context.signal,
      );
      return {
        ...outcome,
        object: scope.pool,
        status: (stored) => {
          scope.pool = stored;
          return machinePoolStatus(scope, { failed: outcome.errors.length > 0 });
        },
      };
    },
  });

import { Finalizer } from "@capstan/contract";
import { isBeingDeleted, keyOf } from "@capstan/kube-values";
import type { Reconcile, ReconcileContext, Result } from "@capstan/runtime";
import { adoptOrphan, isControlledBy } from "@capstan/kit/machines";
import { Machine, MachineDeployment, MachineSet } from "../api.ts";
import { defaultMachineDeployment } from "../defaults/defaults.ts";
import { byController, orphanKey } from "../object/indexes.ts";
import { namedCluster } from "../object/named-cluster.ts";
import { ownedByCluster } from "../object/owners.ts";
import { letGo, reconcileObject } from "../object/reconcile-object.ts";
import { runSteps } from "../object/steps.ts";
import type { MachineDeploymentScope, MachineDeploymentServices } from "./scope.ts";
import { machineDeploymentStatus } from "./status.ts";
import { candidateSets, syncSets } from "./sync.ts";

/** The deployment's sets; those that no one controls and its selector selects are adopted. */
const claimSets = async (context: ReconcileContext, deployment: MachineDeployment): Promise<readonly MachineSet[]> => {
  const { cache } = context;
  const candidates = candidateSets(deployment, [
    ...cache.byIndex(MachineSet, byController, deployment.metadata.uid ?? ""),
    ...cache.byIndex(MachineSet, byController, orphanKey(deployment)),
  ]);
  const claimed: MachineSet[] = [];
  for (const set of candidates) {
    if (isControlledBy(set, deployment)) {
      claimed.push(set);
    } else if (!isBeingDeleted(set) && !isBeingDeleted(deployment)) {
      const owner = { ownerKind: MachineDeployment, owner: deployment };
      claimed.push(await adoptOrphan(context, { kind: MachineSet, orphan: set }, owner));
    }
  }
  return claimed;
};

const machinesOf = ({ cache }: ReconcileContext, sets: readonly MachineSet[]): readonly Machine[] =>
  sets.flatMap((set) => cache.byIndex(Machine, byController, set.metadata.uid ?? ""));

const reconcileDelete = async (scope: MachineDeploymentScope): Promise<Result> => {
  if (scope.sets.length === 0) {
    scope.deployment = letGo(scope.deployment, Finalizer.machineDeployment);
    return {};
  }
  for (const set of scope.sets) {
    scope.setApplier.forget(set.metadata.uid ?? "");
    if (!isBeingDeleted(set)) await scope.context.client.delete(MachineSet, keyOf(set));
  }
  return {};
};

/** Keeps one MachineSet per template and the desired number of replicas over all of them. */
export const reconcileMachineDeployment = (services: MachineDeploymentServices): Reconcile =>
  reconcileObject({
    kind: MachineDeployment,
    saver: services.saver,
    finalizer: Finalizer.machineDeployment,
    defaults: defaultMachineDeployment,
    cluster: namedCluster("Available"),
    owned: ownedByCluster,
    work: async (deployment, cluster, context) => {
      const sets = await claimSets(context, deployment);
      const machines = machinesOf(context, sets);
      const scope: MachineDeploymentScope = {
        ...services,
        context,
        cluster,
        deployment,
        sets,
        machines,
        blockers: [],
      };
      const outcome = await runSteps(
        [() => (isBeingDeleted(deployment) ? reconcileDelete(scope) : syncSets(scope))],
        context.signal,
      );
      return {
        ...outcome,
        object: scope.deployment,
        status: (stored) => {
          scope.deployment = stored;
          return { object: machineDeploymentStatus(scope, { failed: outcome.errors.length > 0 }) };
        },
      };
    },
  });

import { Finalizer } from "@capstan/contract";
import { isBeingDeleted } from "@capstan/kube";
import type { Reconcile, ReconcileContext, Result } from "@capstan/runtime";
import { Machine, MachineDeployment, MachineSet } from "../api.ts";
import { defaultMachineDeployment } from "../defaults/defaults.ts";
import { adoptOrphan } from "../object/adopt-orphan.ts";
import { boundContext } from "../object/bound-client.ts";
import { keyOf, saveMain, saveStatus } from "../object/draft.ts";
import { byController, orphanKey } from "../object/indexes.ts";
import { clusterOf, isFinished, keepPaused, held, letGo } from "../object/lifecycle.ts";
import { isControlledBy, ownedByCluster } from "../object/owners.ts";
import { runSteps, throwFirst } from "../object/steps.ts";
import type { MachineDeploymentScope, MachineDeploymentServices } from "./scope.ts";
import { machineDeploymentStatus } from "./status.ts";
import { candidateSets, syncSets } from "./sync.ts";

/** The deployment's sets; those that nobody controls and its selector selects are adopted. */
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

/** Keeps one MachineSet per template and the wished number of replicas over all of them. */
export const reconcileMachineDeployment =
  (services: MachineDeploymentServices): Reconcile =>
  async (request, original) => {
    const context = boundContext(original);
    const stored = context.cache.get(MachineDeployment, request);
    if (stored === undefined || isFinished(stored, Finalizer.machineDeployment)) return {};
    const prepared = defaultMachineDeployment(held(stored, Finalizer.machineDeployment));
    const finalized = await saveMain(context, MachineDeployment, stored, prepared);
    const cluster = await clusterOf(context, MachineDeployment, finalized, "Available");
    if (await keepPaused(context, MachineDeployment, finalized, cluster)) return {};
    const base = await saveMain(context, MachineDeployment, finalized, ownedByCluster(finalized, cluster));
    const sets = await claimSets(context, base);
    const machines = machinesOf(context, sets);
    const scope: MachineDeploymentScope = {
      ...services,
      context,
      cluster,
      deployment: base,
      sets,
      machines,
      blockers: [],
    };
    const { result, errors } = await runSteps(
      [() => (isBeingDeleted(base) ? reconcileDelete(scope) : syncSets(scope))],
      context.signal,
    );
    scope.deployment = await saveMain(context, MachineDeployment, base, scope.deployment);
    if (isFinished(scope.deployment, Finalizer.machineDeployment)) return {};
    const status = machineDeploymentStatus(scope, { failed: errors.length > 0 });
    await saveStatus(context, MachineDeployment, base, status);
    throwFirst(errors, context.log);
    return result;
  };

import { Finalizer, Label } from "@capstan/contract";
import { controllerOf } from "@capstan/contract/wire";
import { claimMachines, clonedKind, deleteLeftovers, deleteMachines, syncMachines } from "@capstan/kit/machines";
import { isBeingDeleted } from "@capstan/kube-values";
import type { Reconcile, ReconcileContext, Result } from "@capstan/runtime";
import type { Cluster } from "../api.ts";
import { MachineDeployment, MachineSet } from "../api.ts";
import { defaultMachineSet } from "../defaults/defaults.ts";
import { namedCluster } from "../object/named-cluster.ts";
import { ownedByCluster } from "../object/owners.ts";
import { letGo, reconcileObject } from "../object/reconcile-object.ts";
import { runSteps } from "../object/steps.ts";
import { revisionOf } from "../rollout/revision.ts";
import { cachedCandidates } from "./candidates.ts";
import { makingOf } from "./maker.ts";
import { remediateMachines } from "./remediate.ts";
import { reconcileReplicas } from "./replicas.ts";
import type { MachineSetScope, MachineSetServices } from "./scope.ts";
import { machineSetStatus } from "./status.ts";
import { reconcileTemplates } from "./templates.ts";

/** A set that no deployment manages belongs to its Cluster. */
const withStandAloneOwner = (set: MachineSet, cluster: Cluster): MachineSet =>
  set.metadata.labels?.[Label.deploymentName] !== undefined || controllerOf(set) !== undefined
    ? set
    : ownedByCluster(set, cluster);

/** The deployment that controls a set, and whether it has gone on to another one. */
const ownerOf = ({ cache }: ReconcileContext, set: MachineSet): Pick<MachineSetScope, "deployment" | "outdated"> => {
  const owner = controllerOf(set);
  const deployment =
    owner?.kind === MachineDeployment.kind
      ? cache.get(MachineDeployment, { namespace: set.metadata.namespace ?? "", name: owner.name })
      : undefined;
  return { deployment, outdated: deployment !== undefined && revisionOf(deployment) !== revisionOf(set) };
};

const sync = async (scope: MachineSetScope): Promise<Result> => {
  const { bootstrap, infrastructureRef } = scope.set.spec.template.spec;
  const templates = { bootstrap: bootstrap.configRef, infrastructure: infrastructureRef };
  scope.machines = await syncMachines(makingOf(scope), scope.sync, scope.machines, templates);
  return {};
};

/** Other managers make what a Machine refers to before the Machine, and can leave some of it behind. */
const clearLeftovers = async (scope: MachineSetScope): Promise<Result> => {
  const { bootstrap, infrastructureRef } = scope.set.spec.template.spec;
  const templates = bootstrap.configRef === undefined ? [infrastructureRef] : [bootstrap.configRef, infrastructureRef];
  const kinds = templates.map(({ apiGroup, kind }) => ({ apiGroup, kind: clonedKind(kind) }));
  await deleteLeftovers(makingOf(scope), kinds);
  return {};
};

const reconcileDelete = async (scope: MachineSetScope): Promise<Result> => {
  const leaving = scope.machines.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  if (scope.machines.length === 0) scope.set = letGo(scope.set, Finalizer.machineSet);
  else await deleteMachines(makingOf(scope), leaving);
  return {};
};

/** Keeps the desired number of Machines: makes, adopts, deletes and brings up to date what can be changed in place. */
export const reconcileMachineSet = (services: MachineSetServices): Reconcile =>
  reconcileObject({
    kind: MachineSet,
    saver: services.saver,
    finalizer: Finalizer.machineSet,
    defaults: defaultMachineSet,
    cluster: namedCluster(),
    owned: withStandAloneOwner,
    work: async (set, cluster, context) => {
      const owner = { kind: MachineSet, object: set };
      const machines = await claimMachines(context, owner, cachedCandidates(context, set));
      const scope: MachineSetScope = {
        ...services,
        context,
        cluster,
        ...ownerOf(context, set),
        set,
        machines,
        sized: machines.length,
        blockers: [],
      };
      const outcome = await runSteps(
        isBeingDeleted(set)
          ? [() => sync(scope), () => clearLeftovers(scope), () => reconcileDelete(scope)]
          : [
              () => reconcileTemplates(scope),
              () => remediateMachines(scope),
              () => sync(scope),
              () => clearLeftovers(scope),
              () => reconcileReplicas(scope),
            ],
        context.signal,
      );
      return {
        ...outcome,
        object: scope.set,
        status: (stored) => {
          scope.set = stored;
          return { object: machineSetStatus(scope, { failed: outcome.errors.length > 0 }) };
        },
      };
    },
  });

import { Finalizer } from "@capstan/contract";
import { isBeingDeleted, keyOf } from "@capstan/kube-values";
import type { Result } from "@capstan/runtime";
import { throwFirst } from "@capstan/kit/machines";
import { Machine, MachineDeployment, MachinePool, MachineSet, ClusterReason } from "../api.ts";
import { deleteExternal } from "../external/adopt.ts";
import { mayExist } from "../external/observation.ts";
import type { ExternalObservation } from "../external/observation.ts";
import { letGo } from "../object/reconcile-object.ts";
import type { ChildrenPlan } from "./descendants.ts";
import { planChildren, planLeftMachines } from "./descendants.ts";
import type { ClusterScope } from "./scope.ts";
import { EventReason } from "../api/event-reasons.ts";

const kinds = { Machine, MachineSet, MachineDeployment, MachinePool } as const;

/** True once nothing is left of what the plan waits for. */
const removeChildren = async (scope: ClusterScope, { remove, waiting }: ChildrenPlan): Promise<boolean> => {
  const errors: unknown[] = [];
  for (const child of remove) {
    const kind = kinds[child.kind as keyof typeof kinds];
    await scope.context.client.delete(kind, keyOf(child)).catch((error: unknown) => errors.push(error));
  }
  if (waiting !== undefined) scope.deletion = waiting;
  throwFirst(errors, scope.context.log);
  return waiting === undefined;
};

/** Deletes an object the Cluster refers to. True once it is gone. */
const removeExternal = async (
  scope: ClusterScope,
  observation: ExternalObservation,
  reason: string,
): Promise<boolean> => {
  if (!mayExist(observation)) return true;
  const { kind } = observation.state === "found" ? observation.external.object : observation.reference;
  scope.deletion = { reason, message: `Waiting for ${kind} to be deleted` };
  if (observation.state === "found" && !isBeingDeleted(observation.external.object)) {
    await deleteExternal(scope.context, observation.external, scope.cluster);
  }
  return false;
};

/**
 * Takes the Cluster down in order: workers, control plane, infrastructure, finalizer. Each stage begins when nothing of
 * the stage before it is left; events of what goes away bring the next one.
 */
export const reconcileDelete = async (scope: ClusterScope): Promise<Result> => {
  const { cluster, descendants } = scope;
  if (!(await removeChildren(scope, planChildren(cluster, descendants)))) return {};
  if (!(await removeExternal(scope, scope.controlPlane, ClusterReason.deleting.waitingForControlPlaneDeletion))) {
    return {};
  }
  if (!(await removeChildren(scope, planLeftMachines(cluster, descendants)))) return {};
  if (!(await removeExternal(scope, scope.infrastructure, ClusterReason.deleting.waitingForInfrastructureDeletion))) {
    return {};
  }
  scope.deletion = { reason: ClusterReason.deleting.completed, message: "Deletion completed" };
  scope.cluster = letGo(scope.cluster, Finalizer.cluster);
  scope.context.events.event(scope.cluster, {
    type: "Normal",
    reason: EventReason.clusterDeleted,
    message: `Cluster ${scope.cluster.metadata.name} has been deleted`,
  });
  return {};
};

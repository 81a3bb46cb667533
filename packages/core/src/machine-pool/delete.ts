import { Finalizer, isCapstanError, rfc3339 } from "@capstan/contract";
import { deleteMachines, internalError } from "@capstan/kit/machines";
import { byText, isBeingDeleted, keyOf } from "@capstan/kube-values";
import type { Result } from "@capstan/runtime";
import { EventReason } from "../api/event-reasons.ts";
import { MachinePoolReason } from "../api/machine-pool-conditions.ts";
import { defaultNodeDeletionTimeoutSeconds } from "../defaults/defaults.ts";
import { deleteExternal } from "../external/adopt.ts";
import { mayExist } from "../external/observation.ts";
import type { ExternalObservation } from "../external/observation.ts";
import { timedOut } from "../machine/deletion-stage.ts";
import { unreachableText } from "../machine/unreachable-text.ts";
import { Nodes } from "../object/workload-kinds.ts";
import { letGo } from "../object/reconcile-object.ts";
import { makingOf } from "./machines.ts";
import type { MachinePoolScope } from "./scope.ts";

const nodeDeletionRetryMs = 2000;
const shownNames = 5;

const { deleting: reasons } = MachinePoolReason;

/** Deletes the Machines, which are drained and take their machines along. True once none is left. */
const removeMachines = async (scope: MachinePoolScope): Promise<boolean> => {
  const { machines } = scope;
  if (machines.length === 0) return true;
  const names = machines.map(({ metadata }) => metadata.name ?? "").sort(byText);
  const more = names.length > shownNames ? `, ... (${names.length - shownNames} more)` : "";
  const message = `* Machines: ${names.slice(0, shownNames).join(", ")}${more}`;
  scope.deletion = { reason: reasons.waitingForMachines, message };
  await deleteMachines(
    makingOf(scope),
    machines.filter((machine) => !isBeingDeleted(machine)),
  );
  return false;
};

/** Deletes an object that the pool refers to. True once it is gone. */
const removeExternal = async (
  scope: MachinePoolScope,
  observation: ExternalObservation,
  reason: string,
): Promise<boolean> => {
  if (!mayExist(observation)) return true;
  if (observation.state === "unreadable") {
    const why = internalError(reason, observation.error).message;
    scope.deletion = { reason, message: `${observation.reference.kind} could not be read: ${why}` };
    return false;
  }
  const { object } = observation.external;
  scope.deletion = { reason, message: `* ${object.kind}: ${object.metadata.name}` };
  if (!isBeingDeleted(object)) await deleteExternal(scope.context, observation.external, scope.pool);
  return false;
};

/** Deletes the Nodes that were left. Nothing when all are gone, or have been tried for long enough. */
const removeNodes = async (scope: MachinePoolScope): Promise<Result | undefined> => {
  const { cluster, context, nodeFailures, pool } = scope;
  const names = (pool.status?.nodeRefs ?? []).flatMap(({ name }) => name ?? []);
  if (names.length === 0 || isBeingDeleted(cluster)) return undefined;
  try {
    const connection = scope.workload.connection(keyOf(cluster));
    if (connection === undefined) throw new Error(unreachableText(scope.workload, keyOf(cluster)));
    for (const name of names) {
      await connection.client.delete(Nodes, { name }).catch((error: unknown) => {
        if (!isCapstanError(error, "kube.not_found")) throw error;
      });
    }
    return undefined;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    context.events.event(pool, { type: "Warning", reason: EventReason.nodeNotDeleted, message: text });
    const now = context.clock.now();
    const uid = pool.metadata.uid ?? "";
    const since = nodeFailures.get(uid) ?? now;
    nodeFailures.set(uid, since);
    const { deletion } = pool.spec.template.spec;
    const limit = deletion?.nodeDeletionTimeoutSeconds ?? defaultNodeDeletionTimeoutSeconds;
    if (timedOut(limit, rfc3339(since), now)) return undefined;
    scope.deletion = { reason: reasons.deletingNodes, message: text };
    return { requeueAfterMs: nodeDeletionRetryMs };
  }
};

/** Takes the pool down in order: Machines, infrastructure, bootstrap config, Nodes, finalizer. */
export const reconcileDelete = async (scope: MachinePoolScope): Promise<Result> => {
  if (!(await removeMachines(scope))) return {};
  if (!(await removeExternal(scope, scope.infrastructure, reasons.waitingForInfrastructure))) return {};
  if (!(await removeExternal(scope, scope.bootstrap, reasons.waitingForBootstrap))) return {};
  const waiting = await removeNodes(scope);
  if (waiting !== undefined) return waiting;
  scope.deletion = { reason: reasons.completed, message: "Deletion completed" };
  scope.pool = letGo(scope.pool, Finalizer.machinePool);
  return {};
};

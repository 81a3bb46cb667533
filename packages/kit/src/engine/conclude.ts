import { isCapstanError } from "@capstan/contract";
import type { Condition } from "@capstan/contract/wire";
import { ConditionReason, ConditionType, conditionOf, pauseReasons } from "@capstan/contract/wire";
import type { Result } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import type { FailedLooks } from "./failed-looks.ts";
import type { Failure } from "./failures.ts";
import { failureOf } from "./failures.ts";
import type { LifeTypes } from "./object-author.ts";
import type { ObjectChanges } from "./save/object-changes.ts";
import type { Visit } from "./visit.ts";

/** Keeps the condition `Paused`, and says whether the object must be left alone. */
export const notePaused = <O extends KubeObject>(
  changes: ObjectChanges<O>,
  cluster: KubeObject | undefined,
): boolean => {
  const reasons = pauseReasons(changes.object, cluster);
  const paused = reasons.length > 0;
  changes.condition({
    type: ConditionType.paused,
    status: paused ? "True" : "False",
    reason: paused ? ConditionReason.paused : ConditionReason.notPaused,
    ...(paused && { message: reasons.join(", ") }),
  });
  return paused;
};

/** Returns whether the condition tells of the failure already; what stays ready has a reason of its own. */
const tells = (ready: Condition | undefined, { message, reason }: Failure): boolean =>
  ready?.status === "True"
    ? ready.message.endsWith(`: ${message}`)
    : ready?.reason === reason && ready.message === message;

/**
 * Turns the failure of a reconcile into conditions and an Event, and writes them with what came of it before. Returns when to retry;
 * throws the error where the queue's backoff decides.
 */
export const concludeFailure = async <T extends LifeTypes>(
  visit: Visit<T>,
  failedLooks: FailedLooks,
  error: unknown,
): Promise<Result> => {
  const { changes, reconcile: context } = visit;
  if (changes.gone) return {};
  if (context.signal.aborted || isCapstanError(error, "kube.conflict")) throw error;
  const failure = failureOf(error, visit.credentialsSecret);
  const isTold = tells(conditionOf(changes.object, ConditionType.ready), failure);
  const said = failedLooks.conditions(visit, failure);
  changes.condition(...(said ?? []));
  if (said !== undefined && failure.alarming && !isTold) {
    const { reason, message } = failure;
    context.events.event(changes.object, { type: "Warning", reason, message });
  }
  await changes.flush({ all: failure.alarming });
  if (failure.requeueAfterMs === undefined) throw error;
  const { message, reason } = failure;
  // The log has it once for all objects.
  if (failure.superseded !== true) context.log.warn("user action required", { reason, message });
  return { requeueAfterMs: failure.requeueAfterMs };
};

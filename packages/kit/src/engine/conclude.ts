import { isCapstanError } from "@capstan/contract";
import type { Condition, ConditionInput } from "@capstan/contract/wire";
import { ConditionReason, ConditionType, conditionOf, pauseReasons } from "@capstan/contract/wire";
import type { ReconcileContext, Result } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import type { Failure } from "./failures.ts";
import { failureOf } from "./failures.ts";
import type { ObjectChanges } from "./save/object-changes.ts";

export interface Subject<O extends KubeObject> {
  readonly changes: ObjectChanges<O>;
  readonly context: ReconcileContext;
  /** `namespace/name` of the credentials in use. */
  readonly credentials: () => string | undefined;
  /** Returns the effect of a failure on the conditions; `undefined`: not reported yet. */
  readonly onFailure: (failure: Failure) => readonly ConditionInput[] | undefined;
}

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

/** Runs the work of one reconcile, turns a failure into conditions and an event, and writes what came of it in either case. */
export const concluded = async <O extends KubeObject>(
  subject: Subject<O>,
  work: () => Promise<Result>,
): Promise<Result> => {
  const { changes } = subject;
  try {
    const result = await work();
    await changes.flush();
    return result;
  } catch (error) {
    return concludeFailure(subject, error);
  }
};

/** Returns whether the condition tells of the failure already; what stays ready has a reason of its own. */
const tells = (ready: Condition | undefined, { message, reason }: Failure): boolean =>
  ready?.status === "True"
    ? ready.message.endsWith(`: ${message}`)
    : ready?.reason === reason && ready.message === message;

const concludeFailure = async <O extends KubeObject>(subject: Subject<O>, error: unknown): Promise<Result> => {
  const { changes, context } = subject;
  if (changes.gone) return {};
  if (context.signal.aborted || isCapstanError(error, "kube.conflict")) throw error;
  const failure = failureOf(error, subject.credentials());
  const isTold = tells(conditionOf(changes.object, ConditionType.ready), failure);
  const said = subject.onFailure(failure);
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

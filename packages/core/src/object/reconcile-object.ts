import { ConditionReason, ConditionType, pauseReasons } from "@capstan/contract/wire";
import type { ObjectChanges, ObjectSaver } from "@capstan/kit/engine";
import { hasFinalizer, isBeingDeleted, withFinalizer, withoutFinalizers } from "@capstan/kube-values";
import type { Reconcile, ReconcileContext, Result } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import { boundContext, throwFirst, withConditions, withMetadata } from "@capstan/kit/machines";
import type { Cluster } from "../api.ts";
import type { StepsOutcome } from "./steps.ts";
import { sooner } from "./steps.ts";

/** Result of the work on one object. */
export interface Work<T extends KubeObject> extends StepsOutcome {
  /** The object with the metadata and spec it shall have. */
  readonly object: T;
  /** The same with its status, once metadata and spec are stored; with a requeue when that will change with time alone. */
  readonly status: (stored: T) => { readonly object: T; readonly result?: Result };
}

/** Parts of a controller specific to its kind, in addition to those shared by all controllers of this package. */
export interface ObjectLife<T extends KubeObject> {
  readonly kind: Resource<T>;
  readonly saver: ObjectSaver<T>;
  /** Without one, an object that is being deleted is none of its business. */
  readonly finalizer?: string;
  readonly defaults?: (object: T) => T;
  /** The Cluster of the object; throws when there must be one and is none. */
  readonly cluster: (context: ReconcileContext, changes: ObjectChanges<T>) => Cluster | Promise<Cluster>;
  /** The object with the owner that it is to have. */
  readonly owned?: (object: T, cluster: Cluster) => T;
  readonly work: (object: T, cluster: Cluster, context: ReconcileContext) => Promise<Work<T>>;
  /** Nothing of the object is kept any more. */
  readonly forget?: (object: T) => void;
}

const held = <T extends KubeObject>(object: T, finalizer: string | undefined): T =>
  finalizer === undefined || isBeingDeleted(object) || hasFinalizer(object, finalizer)
    ? object
    : withMetadata(object, { finalizers: withFinalizer(object, finalizer) });

/** The object without our finalizer: it may go. */
export const letGo = <T extends KubeObject>(object: T, finalizer: string): T =>
  withMetadata(object, { finalizers: withoutFinalizers(object, finalizer) });

const isFinished = (object: KubeObject, finalizer: string | undefined): boolean =>
  isBeingDeleted(object) && (finalizer === undefined || !hasFinalizer(object, finalizer));

/** Returns whether the object is to be left alone. If so, its Paused condition says why; nothing else of it is written. */
const keptPaused = async <T extends KubeObject>(
  changes: ObjectChanges<T>,
  cluster: Cluster,
  now: number,
): Promise<boolean> => {
  const { object } = changes;
  const reasons = pauseReasons(object, cluster);
  if (reasons.length === 0) return false;
  const condition = {
    type: ConditionType.paused,
    status: "True",
    reason: ConditionReason.paused,
    message: reasons.join(", "),
  } as const;
  changes.become(withConditions(object, [condition], now));
  await changes.flush({ all: true });
  return true;
};

/**
 * The life that all objects of this package have alike: held by a finalizer, defaulted, left alone while paused, given their owner, worked
 * on, and saved, with the status last, whatever failed.
 */
export const reconcileObject =
  <T extends KubeObject>(life: ObjectLife<T>): Reconcile =>
  async (request, original) => {
    const context = boundContext(original);
    const { kind, finalizer } = life;
    const present = context.cache.get(kind, request);
    if (present === undefined) return {};
    const isDone = (object: T): boolean => {
      const finished = isFinished(object, finalizer);
      if (finished) life.forget?.(object);
      return finished;
    };
    if (isDone(present)) return {};
    const changes = life.saver.begin(present, context);
    const prepared = held(life.defaults?.(present) ?? present, finalizer);
    const defaulted = finalizer === undefined ? prepared : await changes.save(prepared);
    const cluster = await life.cluster(context, changes);
    if (await keptPaused(changes, cluster, context.clock.now())) return {};
    const base = await changes.save(life.owned?.(defaulted, cluster) ?? defaulted);
    const { object, status, result, errors } = await life.work(base, cluster, context);
    const stored = await changes.save(object);
    if (isDone(stored)) return {};
    const wanted = status(changes.rebased(stored));
    changes.become(wanted.object);
    await changes.flush({ all: errors.length > 0 });
    throwFirst(errors, context.log);
    return sooner(result, wanted.result);
  };

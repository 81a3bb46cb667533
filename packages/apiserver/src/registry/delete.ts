import { presentFields } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { type StoredObject, writeObject } from "../storage/stored-object.ts";
import { approve } from "./admission-chain.ts";
import { markedForDeletion } from "./prepare.ts";
import { type Served, servedObject, serveOne, toStored } from "./served.ts";
import { conflict, notFound, staleConflict } from "../model/status-error.ts";
import type { DeleteOptions } from "../model/types.ts";
import { admissionRequest, collectionOf, hookContext, type WriteCall, type WriteEnvironment } from "./write-call.ts";

const attempts = 10;

/** The outcome of a deletion: the last state, and whether the object is still there (held by finalizers or a grace period). */
export interface Deleted {
  readonly served: Served;
  readonly gone: boolean;
  readonly durable: Promise<void>;
}

const checkPreconditions = (call: WriteCall, live: KubeObject, options: DeleteOptions): void => {
  const { uid, resourceVersion } = options.preconditions ?? {};
  const name = live.metadata.name as string;
  const byKind = { ...call.definition, plural: call.definition.kind };
  if (uid !== undefined && uid !== live.metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${live.metadata.uid})`;
    throw conflict(byKind, name, `Precondition failed: ${why}. The object might have been deleted and then recreated`);
  }
  if (resourceVersion !== undefined && resourceVersion !== live.metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${live.metadata.resourceVersion})`;
    throw conflict(byKind, name, `Precondition failed: ${why}. The object might have been modified`);
  }
};

const propagationFinalizers = { Orphan: "orphan", Foreground: "foregroundDeletion" } as const;

const withPropagation = (object: KubeObject, options: DeleteOptions): KubeObject => {
  const policy = options.propagationPolicy;
  if (policy === undefined) {
    return object;
  }
  const wanted = policy === "Background" ? undefined : propagationFinalizers[policy];
  const others = (object.metadata.finalizers ?? []).filter(
    (finalizer) => finalizer === wanted || (finalizer !== "orphan" && finalizer !== "foregroundDeletion"),
  );
  const finalizers = wanted === undefined || others.includes(wanted) ? others : [...others, wanted];
  const { finalizers: _, ...metadata } = object.metadata;
  return { ...object, metadata: finalizers.length === 0 ? metadata : { ...metadata, finalizers } };
};

/** The state after a deletion request: `undefined` when the object goes at once, the same object when nothing changes. */
const afterDelete = (
  environment: WriteEnvironment,
  call: WriteCall,
  live: KubeObject,
  options: DeleteOptions,
): KubeObject | undefined => {
  const { strategy } = call.definition;
  const own = strategy.beforeDelete?.(live, options, hookContext(environment, call));
  const now = environment.clock.now();
  if (typeof own === "object") {
    return withPropagation(own, options);
  }
  const grace = own ?? 0;
  const held = (object: KubeObject): boolean =>
    (object.metadata.finalizers ?? []).length > 0 || strategy.retains?.(object) === true || grace > 0;
  if (live.metadata.deletionTimestamp !== undefined) {
    const shortened = grace < (live.metadata.deletionGracePeriodSeconds ?? 0);
    if (!shortened) {
      return held(live) ? live : undefined;
    }
    return held(live) ? markedForDeletion(call.definition, live, now, grace) : undefined;
  }
  const wanted = withPropagation(live, options);
  return held(wanted) ? markedForDeletion(call.definition, wanted, now, grace) : undefined;
};

/** To write a longer text takes milliseconds. */
const largeText = 2 ** 16;

/** Carries the decision out; `undefined` when another user was faster. */
const commit = async (
  environment: WriteEnvironment,
  call: WriteCall,
  stored: StoredObject,
  outcome: { readonly live: KubeObject; readonly next: KubeObject | undefined },
): Promise<Deleted | undefined> => {
  const { definition } = call;
  const collection = collectionOf(environment, definition);
  const durable = Promise.resolve();
  const { live, next } = outcome;
  const record = next === undefined ? stored.object : await toStored(definition, next);
  const isLarge = stored.text.length > largeText && !call.dryRun && next !== live;
  const written = isLarge ? await writeObject(record) : record;
  if (collection.get(stored.namespace, stored.name) !== stored) {
    return undefined;
  }
  if (next === live) {
    return { served: await serveOne(definition, stored), gone: false, durable };
  }
  if (call.dryRun) {
    return { served: servedObject(next ?? live), gone: next === undefined, durable };
  }
  const pending = next === undefined ? collection.delete(stored, written) : collection.update(stored, written);
  return {
    served: await serveOne(definition, pending.change.object),
    gone: next === undefined,
    durable: pending.durable,
  };
};

/** The options that admission is complete of. */
const givenOptions = ({ gracePeriodSeconds, propagationPolicy, preconditions }: DeleteOptions): DeleteOptions =>
  presentFields<DeleteOptions>({ gracePeriodSeconds, propagationPolicy, preconditions });

/** Deletes one object, or marks it for deletion while something holds it. The caller awaits `durable`. */
export const deleteObject = async (
  environment: WriteEnvironment,
  call: WriteCall,
  name: string,
  options: DeleteOptions,
): Promise<Deleted> => {
  const { definition, namespace } = call;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const stored = collectionOf(environment, definition).get(namespace, name);
    if (stored === undefined) {
      throw notFound(definition, name);
    }
    await stored.load();
    const live = (await serveOne(definition, stored)).object;
    checkPreconditions(call, live, options);
    const complete = { ...call, options: { ...call.options, ...givenOptions(options) } };
    await approve(environment.admission, admissionRequest(complete, { operation: "DELETE", name, oldObject: live }));
    const next = afterDelete(environment, call, live, options);
    const deleted = await commit(environment, call, stored, { live, next });
    if (deleted !== undefined) {
      if (!deleted.gone && !call.dryRun) {
        await definition.strategy.afterMark?.(deleted.served.object, hookContext(environment, call));
      }
      return deleted;
    }
  }
  throw staleConflict(definition, name);
};

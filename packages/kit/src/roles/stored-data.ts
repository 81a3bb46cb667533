import { isCapstanError, rfc3339 } from "@capstan/contract";
import type { MergePatch } from "@capstan/contract/wire";
import { SecretResource } from "@capstan/contract/wire";
import { keyOf } from "@capstan/kube-values";
import type { ReconcileContext } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { deleteStored } from "../delivery/delete-stored.ts";
import { deliveryRecordOf, deliveryRecordPatch } from "../delivery/delivery-record.ts";
import { joinedLeftover, leftoverName, leftoverOf, leftoverSecret } from "../delivery/leftover.ts";
import type { Leftover } from "../delivery/leftover.ts";
import type { ObjectStoreRequest } from "../delivery/object-store-request.ts";
import { recordedTarget, requestedTargets } from "../delivery/store-access.ts";
import type { StoreAccess } from "../delivery/store-access.ts";
import type { SecretReader } from "../engine/credentials.ts";
import type { ObjectChanges } from "../engine/save/object-changes.ts";
import { reportRecordOf, reportRecordPatch } from "../report/report-record.ts";
import { storeAccess } from "./machine-store-access.ts";
import { RoleEvent } from "./reasons.ts";
import { isDeleted, leftoversOf, notDeleted } from "./stored-conditions.ts";

/** A machine of which something may be in a store. */
export interface StoredDataPlace<O extends KubeObject> {
  readonly changes: ObjectChanges<O>;
  readonly context: ReconcileContext;
  /** What the author says about the store of this machine's cluster. */
  readonly request: ObjectStoreRequest | undefined;
  /** Reads the stores' Secrets, whose changes then wake the machine. */
  readonly secrets: SecretReader;
}

/** What became of an object in a store. */
type Outcome = { readonly deleted: true } | { readonly leftover: string };

/** One object that the machine's record says is in a store, or may be. */
interface StoredObject {
  readonly noun: string;
  readonly key: string;
  /** Secrets of the stores, as `namespace/name`. */
  readonly stores: readonly string[];
  readonly storeType: string | undefined;
  readonly deleted: boolean;
  /** Name of the Secret by which its deletion is tried again. */
  readonly leftover: string | undefined;
  /** Records the outcome. */
  readonly patch: (outcome: Outcome) => MergePatch;
}

const storedData = (object: KubeObject): StoredObject | undefined => {
  const record = deliveryRecordOf(object);
  if (record?.key === undefined) return undefined;
  const { leftover, ...rest } = record;
  const { key = "", store, storeType, stores } = rest;
  return {
    deleted: rest.deleted === true,
    leftover,
    noun: "bootstrap data",
    key,
    stores: stores ?? (store === undefined ? [] : [store]),
    storeType,
    patch: (outcome) => deliveryRecordPatch({ ...rest, ...outcome }),
  };
};

const storedReport = (object: KubeObject): StoredObject | undefined => {
  const record = reportRecordOf(object);
  if (record?.key === undefined) return undefined;
  const { leftover, ...rest } = record;
  const { key = "", store, storeType } = rest;
  const stores = store === undefined ? [] : [store];
  return {
    deleted: rest.deleted === true,
    leftover,
    noun: "bootstrap report",
    key,
    stores,
    storeType,
    patch: (outcome) => reportRecordPatch({ ...rest, ...outcome }),
  };
};

/** Where the object was put first, then what the cluster names by now. */
const accessTo = <O extends KubeObject>(
  { changes: { object }, context, request, secrets }: StoredDataPlace<O>,
  stored: StoredObject,
): StoreAccess => {
  const recorded = stored.stores.map(recordedTarget);
  const named = request === undefined ? [] : requestedTargets(request, object.metadata.namespace ?? "");
  const others = named.filter(({ secret }) => recorded.every((target) => target.secret !== secret));
  const defaultType = stored.storeType ?? request?.defaultType;
  return storeAccess({ targets: [...recorded, ...others], defaultType }, keyOf(object), secrets, context);
};

/**
 * Deletes an object of the machine from the store. What cannot be deleted is recorded in a Secret of its own, by which it is tried again
 * whatever becomes of the machine: a failure holds nothing up.
 */
const remove = async <O extends KubeObject>(
  place: StoredDataPlace<O>,
  stored: StoredObject | undefined,
  { leaving = false }: { /** The machine is on its way out. */ readonly leaving?: boolean } = {},
): Promise<void> => {
  if (stored === undefined) return;
  const { changes, context } = place;
  const access = accessTo(place, stored);
  if (access.targets.length === 0) return;
  try {
    await deleteStored(access, { keys: [stored.key] }, stored.stores);
  } catch (error) {
    if (context.signal.aborted) throw error;
    await leave(place, { access, error: error as Error, leaving, stored });
    return;
  }
  if (stored.deleted) return;
  changes.merge(stored.patch({ deleted: true }));
  changes.condition(isDeleted);
  context.events.event(changes.object, {
    type: "Normal",
    reason: RoleEvent.storedDataDeleted,
    message: `deleted the ${stored.noun} from the object store`,
  });
};

/** Once the node runs: deletes the bootstrap data. */
export const deleteStoredData = <O extends KubeObject>(place: StoredDataPlace<O>): Promise<void> =>
  remove(place, storedData(place.changes.object));

/** Once it has been read: deletes the report. */
export const deleteStoredReport = <O extends KubeObject>(place: StoredDataPlace<O>): Promise<void> =>
  remove(place, storedReport(place.changes.object));

/** Whether something is still left. Once it has been deleted after all, its record is gone, and the machine says so. */
export const noteSwept = async <O extends KubeObject>({ changes, context }: StoredDataPlace<O>): Promise<boolean> => {
  const { client, signal } = context;
  const { object } = changes;
  const namespace = object.metadata.namespace ?? "";
  for (const name of leftoversOf(object)) {
    if ((await client.find(SecretResource, { namespace, name }, { signal })) !== undefined) return true;
  }
  for (const stored of [storedData(object), storedReport(object)]) {
    if (stored?.leftover === undefined) continue;
    changes.merge(stored.patch({ deleted: true }));
    changes.condition(isDeleted);
  }
  return false;
};

/** On the machine's way out: deletes whatever may be there. */
export const deleteAllStored = async <O extends KubeObject>(place: StoredDataPlace<O>): Promise<void> => {
  await remove(place, storedData(place.changes.object), { leaving: true });
  await remove(place, storedReport(place.changes.object), { leaving: true });
};

interface Failed {
  readonly stored: StoredObject;
  readonly access: StoreAccess;
  readonly error: Error;
  readonly leaving: boolean;
}

/** Records what is left, and says so. Where nothing can be recorded, as in a namespace that is going, that is all that can be done. */
const leave = async <O extends KubeObject>(
  { changes, context }: StoredDataPlace<O>,
  { access, error, leaving, stored }: Failed,
): Promise<void> => {
  const { object } = changes;
  const { kind, metadata } = object;
  const uid = metadata.uid ?? "";
  const recorded = await record(context, object, {
    uid,
    keys: [stored.key],
    stores: access.targets.map((target) => target.secret),
    ...(access.defaultType === undefined ? {} : { storeType: access.defaultType }),
    ...(leaving ? { everything: true } : {}),
    machine: `${kind} ${metadata.name ?? ""}`,
    since: rfc3339(context.clock.now()),
  });
  context.log.warn(`the ${stored.noun} could not be deleted from the object store`, { error: error.message });
  const next = recorded
    ? `it is tried again, see Secret ${leftoverName(uid)}`
    : `delete the objects that begin with ${uid} yourself`;
  const message = `${error.message}; ${next}`;
  context.events.event(object, { type: "Warning", reason: RoleEvent.storedDataNotDeleted, message });
  if (!recorded) return;
  changes.merge(stored.patch({ leftover: leftoverName(uid) }));
  changes.condition(notDeleted(leftoverName(uid)));
};

/** Whether it is recorded. Whatever is refused here for good must not keep the machine. */
const record = async (context: ReconcileContext, object: KubeObject, leftover: Leftover): Promise<boolean> => {
  const { client, signal } = context;
  const secret = leftoverSecret(object, leftover);
  try {
    await client.create(SecretResource, secret, { signal });
    return true;
  } catch (error) {
    if (isCapstanError(error, "kube.forbidden")) return false;
    if (!isCapstanError(error, "kube.already_exists")) throw error;
  }
  const present = await client.find(SecretResource, keyOf(secret), { signal });
  const { annotations } = leftoverSecret(object, joinedLeftover(present && leftoverOf(present), leftover)).metadata;
  await client.patch(SecretResource, keyOf(secret), { type: "merge", body: { metadata: { annotations } } }, { signal });
  return true;
};

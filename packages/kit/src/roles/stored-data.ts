import { isCapstanError, rfc3339 } from "@capstan/contract";
import { SecretResource } from "@capstan/contract/wire";
import { keyOf } from "@capstan/kube-values";
import type { ReconcileContext } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { deleteStored } from "../delivery/delete-stored.ts";
import { deliveryRecordOf, deliveryRecordPatch } from "../delivery/delivery-record.ts";
import type { DeliveryRecord } from "../delivery/delivery-record.ts";
import { leftoverName, leftoverSecret } from "../delivery/leftover.ts";
import type { ObjectStoreRequest } from "../delivery/object-store-request.ts";
import { recordedTarget, requestedTargets } from "../delivery/store-access.ts";
import type { StoreAccess } from "../delivery/store-access.ts";
import type { SecretReader } from "../engine/credentials.ts";
import type { ObjectChanges } from "../engine/save/object-changes.ts";
import { storeAccess } from "./machine-store-access.ts";

/** A machine whose data may be in a store. */
export interface StoredDataPlace<O extends KubeObject> {
  readonly changes: ObjectChanges<O>;
  readonly context: ReconcileContext;
  /** What the author says about the store of this machine's cluster. */
  readonly request: ObjectStoreRequest | undefined;
  /** Reads the stores' Secrets, whose changes then wake the machine. */
  readonly secrets: SecretReader;
}

const recordedStores = ({ store, stores }: DeliveryRecord): readonly string[] =>
  stores ?? (store === undefined ? [] : [store]);

/** Where the data was put first, then what the cluster names by now. */
const accessTo = <O extends KubeObject>(
  { changes: { object }, context, request, secrets }: StoredDataPlace<O>,
  record: DeliveryRecord,
): StoreAccess => {
  const recorded = recordedStores(record).map(recordedTarget);
  const named = request === undefined ? [] : requestedTargets(request, object.metadata.namespace ?? "");
  const others = named.filter(({ secret }) => recorded.every((target) => target.secret !== secret));
  const defaultType = record.storeType ?? request?.defaultType;
  return storeAccess({ targets: [...recorded, ...others], defaultType }, keyOf(object), secrets, context);
};

/**
 * Deletes the machine's data from the store, if it went there. What cannot be deleted is recorded in a Secret of its own, by which it is
 * tried again whatever becomes of the machine: a failure holds nothing up.
 */
export const deleteStoredData = async <O extends KubeObject>(place: StoredDataPlace<O>): Promise<void> => {
  const { changes, context } = place;
  const record = deliveryRecordOf(changes.object);
  const { key } = record ?? {};
  if (record === undefined || key === undefined) return;
  const access = accessTo(place, record);
  if (access.targets.length === 0) return;
  try {
    await deleteStored(access, { keys: [key] }, recordedStores(record));
  } catch (error) {
    if (context.signal.aborted) throw error;
    await leave(place, { ...record, key }, access, error as Error);
    return;
  }
  changes.merge(deliveryRecordPatch({ ...record, deleted: true }));
  context.events.event(changes.object, {
    type: "Normal",
    reason: "BootstrapDataDeleted",
    message: "deleted the bootstrap data from the object store",
  });
};

/** Records what is left, and says so. Where nothing can be recorded, as in a namespace that is going, that is all that can be done. */
const leave = async <O extends KubeObject>(
  { changes, context }: StoredDataPlace<O>,
  record: DeliveryRecord & { readonly key: string },
  access: StoreAccess,
  error: Error,
): Promise<void> => {
  const { object } = changes;
  const { kind, metadata } = object;
  const uid = metadata.uid ?? "";
  const secret = leftoverSecret(object, {
    uid,
    keys: [record.key],
    stores: access.targets.map((target) => target.secret),
    ...(access.defaultType === undefined ? {} : { storeType: access.defaultType }),
    machine: `${kind} ${metadata.name ?? ""}`,
    since: rfc3339(context.clock.now()),
  });
  const recorded = await created(context, secret);
  context.log.warn("the bootstrap data could not be deleted from the object store", { error: error.message });
  const next = recorded
    ? `it is tried again, see Secret ${leftoverName(uid)}`
    : `delete the objects that begin with ${uid} yourself`;
  context.events.event(object, {
    type: "Warning",
    reason: "BootstrapDataDeleteFailed",
    message: `${error.message}; ${next}`,
  });
  if (recorded) changes.merge(deliveryRecordPatch({ ...record, leftover: leftoverName(uid) }));
};

const created = async ({ client, signal }: ReconcileContext, secret: KubeObject): Promise<boolean> => {
  try {
    await client.create(SecretResource, secret, { signal });
    return true;
  } catch (error) {
    if (isCapstanError(error, "kube.already_exists")) return true;
    // Whatever is refused here for good must not keep the machine.
    if (isCapstanError(error, "kube.forbidden")) return false;
    throw error;
  }
};

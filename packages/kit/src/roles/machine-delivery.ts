import type { Logger } from "@capstan/contract";
import { objectStores } from "@capstan/contract/v1";
import { SecretResource, machine as machineFields } from "@capstan/contract/wire";
import type { ReconcileContext } from "@capstan/runtime";
import { requestFor } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { bootstrapDelivery } from "../delivery/bootstrap-delivery.ts";
import type { RecordedDelivery } from "../delivery/bootstrap-delivery.ts";
import { deleteBootstrapObject } from "../delivery/delete-bootstrap.ts";
import { deliveryRecordOf, deliveryRecordPatch } from "../delivery/delivery-record.ts";
import type { UploadMemory } from "../delivery/machine-store.ts";
import type { ObjectStoreRequest } from "../delivery/object-store-request.ts";
import type { StoreAccess } from "../delivery/store-access.ts";
import { secretBytes, secretText } from "../engine/credentials.ts";
import type { SecretReader } from "../engine/credentials.ts";
import { keyOf } from "../engine/save/object-changes.ts";
import type { ObjectChanges } from "../engine/save/object-changes.ts";

export interface DeliveryPlace<O extends KubeObject> {
  readonly changes: ObjectChanges<O>;
  readonly context: ReconcileContext;
  /** What the author says about the store of this machine's cluster. */
  readonly request: ObjectStoreRequest | undefined;
  /** Reads the stores' Secrets, whose changes then wake the machine. */
  readonly secrets: SecretReader;
  readonly uploads: UploadMemory;
}

const storeAccess = <O extends KubeObject>(
  { changes: { object }, context, secrets }: DeliveryPlace<O>,
  request: ObjectStoreRequest,
): StoreAccess => ({
  request,
  namespace: object.metadata.namespace ?? "",
  openers: context.findService(objectStores),
  readSecret: async (ref) => {
    const read = await secrets.read(ref, requestFor(keyOf(object)), context);
    return read === undefined ? undefined : secretText(read.data);
  },
  clock: context.clock,
  signal: context.signal,
});

/** The delivery that `create` receives; what it did is put among the changes by `recordDelivery`. */
export const machineDelivery = <O extends KubeObject>(
  place: DeliveryPlace<O>,
  machine: KubeObject,
  formats: readonly string[] | undefined,
): RecordedDelivery => {
  const { changes, context, request, uploads } = place;
  const { object } = changes;
  const namespace = object.metadata.namespace ?? "";
  const secretName = machineFields.dataSecretName.get(machine) ?? "";
  return bootstrapDelivery({
    secretName,
    namespace,
    key: object.metadata.uid ?? "",
    ...(formats === undefined ? {} : { formats }),
    readBootstrap: async () => {
      const secret = await context.client.find(
        SecretResource,
        { namespace, name: secretName },
        { signal: context.signal },
      );
      return secret === undefined ? undefined : secretBytes(secret);
    },
    store: request === undefined ? undefined : storeAccess(place, request),
    uploads,
    announce: async (record) => {
      const before = deliveryRecordOf(changes.object);
      if (before?.route === record.route && before.key === record.key) return;
      await changes.writeNow(deliveryRecordPatch(record));
    },
    log: context.log,
  });
};

/** Puts what a delivery did among the changes. */
export const recordDelivery = <O extends KubeObject>(changes: ObjectChanges<O>, delivery: RecordedDelivery): void => {
  const record = delivery.record();
  if (record !== undefined) changes.merge(deliveryRecordPatch(record));
};

/** Where the object was put: the author's stores, or, once their owner is gone, the one that was recorded. */
const storesOf = (object: KubeObject, request: ObjectStoreRequest | undefined): ObjectStoreRequest | undefined => {
  if (request !== undefined) return request;
  const [namespace, name] = deliveryRecordOf(object)?.store?.split("/") ?? [];
  return namespace === undefined || name === undefined ? undefined : { credentialsRef: { namespace, name } };
};

const hasStoredObject = (object: KubeObject): boolean => deliveryRecordOf(object)?.key !== undefined;

/** Whether the object is still due to be deleted because the node runs. */
export const mayDeleteStored = (object: KubeObject): boolean =>
  hasStoredObject(object) && deliveryRecordOf(object)?.deleted !== true;

/**
 * Deletes the machine's bootstrap data from the store, if it went there. A failure is logged and told as an event, and answered with
 * false; it holds nothing up.
 */
export const deleteStored = async <O extends KubeObject>(place: DeliveryPlace<O>): Promise<boolean> => {
  const { changes, context, uploads } = place;
  const { object } = changes;
  if (!hasStoredObject(object)) return true;
  const request = storesOf(object, place.request);
  if (request === undefined) return true;
  const key = deliveryRecordOf(object)?.key ?? object.metadata.uid ?? "";
  try {
    await deleteBootstrapObject(storeAccess(place, request), key);
  } catch (error) {
    if (context.signal.aborted) throw error;
    tellFailure(object, context, context.log, error as Error);
    return false;
  }
  uploads.delete(key);
  const record = deliveryRecordOf(object);
  if (record !== undefined) changes.merge(deliveryRecordPatch({ ...record, deleted: true }));
  context.events.event(object, {
    type: "Normal",
    reason: "BootstrapDataDeleted",
    message: "deleted the bootstrap data from the object store",
  });
  return true;
};

const tellFailure = (object: KubeObject, context: ReconcileContext, log: Logger, error: Error): void => {
  log.warn("the bootstrap data could not be deleted from the object store", { error: error.message });
  context.events.event(object, { type: "Warning", reason: "BootstrapDataDeleteFailed", message: error.message });
};

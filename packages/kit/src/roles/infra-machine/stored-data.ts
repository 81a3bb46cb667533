import { isCapstanError, rfc3339 } from "@capstan/contract";
import type { MergePatch } from "@capstan/contract/wire";
import { conditionOf, SecretResource } from "@capstan/contract/wire";
import { keyOf } from "@capstan/kube-values";
import type { ReconcileContext } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { deleteStored } from "../../delivery/delete-stored.ts";
import { deliveryRecordOf, deliveryRecordPatch } from "../../delivery/delivery-record.ts";
import { joinedLeftover, leftoverName, leftoverOf, leftoverSecret } from "../../delivery/leftover.ts";
import type { Leftover } from "../../delivery/leftover.ts";
import type { ObjectStoreRequest } from "../../delivery/object-store-request.ts";
import { believedTargets, requestedTargets } from "../../delivery/store-access.ts";
import type { StoreAccess } from "../../delivery/store-access.ts";
import { dataKeysOf, reportKeysOf } from "../../delivery/stored-keys.ts";
import type { StoredKey } from "../../delivery/stored-keys.ts";
import type { SecretReader } from "../../engine/credentials.ts";
import { ownerOf } from "../../engine/owner.ts";
import type { ObjectChanges } from "../../engine/save/object-changes.ts";
import { reportRecordOf, reportRecordPatch } from "../../report/report-record.ts";
import { storeAccess } from "./store-access.ts";
import { RoleEvent } from "../reasons.ts";
import { storeRequestOf } from "./store-request.ts";
import { isDeleted, leftoversOf, notDeleted, notDeletedBecause } from "./stored-conditions.ts";

/** A machine of which something may be in a store. */
export interface StoredDataPlace<O extends KubeObject> {
  readonly changes: ObjectChanges<O>;
  readonly context: ReconcileContext;
  /** The author's options for the store of this machine's cluster. */
  readonly request: ObjectStoreRequest | undefined;
  /** Reads the stores' Secrets, whose changes then wake the machine. */
  readonly secrets: SecretReader;
}

/** Outcome for an object in a store. */
type Outcome = { readonly deleted: true } | { readonly leftover: string };

/** One object that the machine's record says is in a store, or may be. */
interface StoredObject {
  readonly noun: string;
  /** Where it may be. */
  readonly keys: readonly StoredKey[];
  /** The uid by which what is left of it is recorded. */
  readonly uid: string;
  /** Secrets of the stores, as `namespace/name`. */
  readonly stores: readonly string[];
  readonly storeType: string | undefined;
  readonly deleted: boolean;
  /** Name of the Secret by which its deletion is retried. */
  readonly leftover: string | undefined;
  /** Records the outcome. */
  readonly patch: (outcome: Outcome) => MergePatch;
}

const storedData = (object: KubeObject): StoredObject | undefined => {
  const record = deliveryRecordOf(object);
  if (record?.key === undefined) return undefined;
  const { leftover, ...rest } = record;
  const { key = "", store, storeType, stores } = rest;
  const keys = dataKeysOf(object, key);
  return {
    deleted: rest.deleted === true,
    leftover,
    noun: "bootstrap data",
    keys,
    uid: keys.at(-1)?.key ?? "",
    stores: stores ?? (store === undefined ? [] : [store]),
    storeType,
    patch: (outcome) => deliveryRecordPatch({ ...rest, ...outcome }),
  };
};

const storedReport = (object: KubeObject): StoredObject | undefined => {
  const record = reportRecordOf(object);
  if (record?.key === undefined) return undefined;
  const { leftover, ...rest } = record;
  const { store, storeType } = rest;
  const stores = store === undefined ? [] : [store];
  return {
    deleted: rest.deleted === true,
    leftover,
    noun: "bootstrap report",
    keys: reportKeysOf(object),
    uid: object.metadata.uid ?? "",
    stores,
    storeType,
    patch: (outcome) => reportRecordPatch({ ...rest, ...outcome }),
  };
};

/** Where a machine has something in stores, by what its record and its cluster say. */
interface Place {
  readonly access: StoreAccess;
  /** Where it was put, as far as the record is believed. */
  readonly recorded: readonly string[];
  /** A location in another namespace that only the record names: it is not used. */
  readonly elsewhere: readonly string[];
}

/** Where the object was put first, then what the cluster names by now. */
const placeOf = <O extends KubeObject>(
  { changes: { object }, context, request, secrets }: StoredDataPlace<O>,
  stored: StoredObject,
): Place => {
  const { namespace = "" } = object.metadata;
  const named = request === undefined ? [] : requestedTargets(request, namespace);
  const believed = believedTargets(stored.stores, namespace, named);
  const recorded = believed.map(({ secret }) => secret);
  const others = named.filter(({ secret }) => !recorded.includes(secret));
  const defaultType = stored.storeType ?? request?.defaultType;
  const access = storeAccess({ targets: [...believed, ...others], defaultType }, keyOf(object), secrets, context);
  return { access, recorded, elsewhere: stored.stores.filter((secret) => !recorded.includes(secret)) };
};

/**
 * Deletes an object of the machine from the store. What cannot be deleted is recorded in a Secret of its own, by which it is retried
 * whatever becomes of the machine: a failure holds nothing up.
 */
const remove = async <O extends KubeObject>(
  place: StoredDataPlace<O>,
  stored: StoredObject | undefined,
  { leaving = false }: { /** The machine is on its way out. */ readonly leaving?: boolean } = {},
): Promise<void> => {
  if (stored === undefined) return;
  const { changes, context } = place;
  const { access, elsewhere, recorded } = placeOf(place, stored);
  if (elsewhere.length > 0 && !stored.deleted) {
    sayNotDeleted(place, stored, `Secret ${elsewhere.join(", ")} in another namespace is no longer referenced`);
    if (recorded.length === 0) return;
  }
  if (access.targets.length === 0) return;
  try {
    await deleteStored(access, stored.keys, recorded);
  } catch (error) {
    if (context.signal.aborted) throw error;
    await leave(place, { access, error: error as Error, leaving, stored });
    return;
  }
  if (stored.deleted || elsewhere.length > 0) return;
  changes.merge(stored.patch({ deleted: true }));
  changes.condition(isDeleted);
  context.log.debug("deleted the stored data of a machine", { what: stored.noun });
};

/** Once the node runs: deletes the bootstrap data. */
export const deleteStoredData = <O extends KubeObject>(place: StoredDataPlace<O>): Promise<void> =>
  remove(place, storedData(place.changes.object));

/** Once it has been read: deletes the report. */
export const deleteStoredReport = <O extends KubeObject>(place: StoredDataPlace<O>): Promise<void> =>
  remove(place, storedReport(place.changes.object));

/** Returns whether something is still left. Once it has been deleted after all, its record is gone, and the machine says so. */
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

/** There is no record to retry from, so the message tells what to do. */
const sayNotDeleted = <O extends KubeObject>(
  { changes, context }: StoredDataPlace<O>,
  { keys, noun }: StoredObject,
  why: string,
): void => {
  const { object } = changes;
  const message = `${why}; delete the objects ${keys.map(({ key }) => key).join(" and ")} from the store yourself`;
  const condition = notDeletedBecause(message);
  if (conditionOf(object, condition.type)?.message === message) return;
  changes.condition(condition);
  context.log.warn(`the ${noun} could not be deleted from the object store`, { error: why });
  context.events.event(object, { type: "Warning", reason: RoleEvent.storedDataNotDeleted, message });
};

/**
 * Records what is left beside the Secrets of the stores, where others cannot write, and says so. Where nothing can be recorded, as in a
 * namespace that is going, that is all that can be done.
 */
const leave = async <O extends KubeObject>(
  place: StoredDataPlace<O>,
  { access, error, leaving, stored }: Failed,
): Promise<void> => {
  const { changes, context } = place;
  const { object } = changes;
  const { namespace = "" } = object.metadata;
  const { id, name } = ownerOf(object);
  const isDefault = requestedDefault(context);
  const homes = Map.groupBy(access.targets, ({ ref, secret }) => (secret === isDefault ? namespace : ref.namespace));
  const homeless = leaving ? [] : [...homes.keys()].filter((home) => home !== namespace);
  const records = await Promise.all(
    [...homes]
      .filter(([home]) => !homeless.includes(home))
      .map(([home, targets]) =>
        record(context, object, home, {
          uid: stored.uid,
          owner: { namespace, name, id },
          stores: targets.map((target) => target.secret),
          ...(access.defaultType === undefined ? {} : { storeType: access.defaultType }),
          machine: `${object.kind} ${namespace}/${name}`,
          since: rfc3339(context.clock.now()),
        }),
      ),
  );
  if (records.length === 0 || records.includes(false)) {
    sayNotDeleted(place, stored, error.message);
    return;
  }
  context.log.warn(`the ${stored.noun} could not be deleted from the object store`, { error: error.message });
  const message = `${error.message}; retrying, see Secret ${leftoverName(stored.uid)}`;
  context.events.event(object, { type: "Warning", reason: RoleEvent.storedDataNotDeleted, message });
  if (homeless.length > 0) return;
  changes.merge(stored.patch({ leftover: leftoverName(stored.uid) }));
  changes.condition(notDeleted(leftoverName(stored.uid)));
};

/** The Secret of the store that the application has for clusters that name none. */
const requestedDefault = (context: ReconcileContext): string | undefined => {
  const request = storeRequestOf(undefined, undefined, context);
  return request && requestedTargets(request, "")[0]?.secret;
};

/** Returns whether it is recorded. Whatever is refused here for good must not keep the machine. */
const record = async (
  context: ReconcileContext,
  object: KubeObject,
  namespace: string,
  leftover: Leftover,
): Promise<boolean> => {
  const { client, signal } = context;
  const secret = leftoverSecret(object, leftover, namespace);
  try {
    await client.create(SecretResource, secret, { signal });
    return true;
  } catch (error) {
    if (isCapstanError(error, "kube.forbidden")) return false;
    if (!isCapstanError(error, "kube.already_exists")) throw error;
  }
  const present = await client.find(SecretResource, keyOf(secret), { signal });
  const joined = joinedLeftover(present && leftoverOf(present), leftover);
  const { annotations } = leftoverSecret(object, joined, namespace).metadata;
  await client.patch(SecretResource, keyOf(secret), { type: "merge", body: { metadata: { annotations } } }, { signal });
  return true;
};

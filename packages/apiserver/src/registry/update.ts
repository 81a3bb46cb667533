import { setImmediate as nextTurn } from "node:timers/promises";
import { sameInTurns } from "@capstan/evaluation";
import { type KubeObject, sameJson } from "@capstan/schema";
import { isWritten, type StoredObject, textAt, writeObject, type WrittenObject } from "../storage/stored-object.ts";
import { approve, guard, mutate } from "./admission-chain.ts";
import { createObject } from "./create.ts";
import { normalisedObject } from "./long-steps.ts";
import { metadataCauses, metadataUpdateCauses } from "./metadata.ts";
import { checkObjectSize, type Weight } from "./object-size.ts";
import { updatedObject, updatedStatus, withGeneration } from "./prepare.ts";
import { withoutRepeatedOwners } from "./repeated-owners.ts";
import { type Served, servedObject, serveOne, toStored } from "./served.ts";
import { badRequest, conflict, invalid, notFound, StatusError, staleConflict } from "../model/status-error.ts";
import type { SubresourceDefinition } from "../model/types.ts";
import { admissionRequest, collectionOf, hookContext, type WriteCall, type WriteEnvironment } from "./write-call.ts";
import { withManager } from "./with-manager.ts";

const attempts = 10;

/** To look at an object with a longer text takes milliseconds. */
const longText = 2 ** 16;

/** Change that an update requests. */
export interface Change {
  /** Absent on the main endpoint. Scale changes arrive as changes of the object itself. */
  readonly subresource?: SubresourceDefinition;
  /** The wanted object, from the living one in the served version; or from nothing, when `createsMissing`. */
  readonly next: (live: Served | undefined) => KubeObject | Promise<KubeObject>;
  readonly method: "put" | "patch" | "apply";
  /** A missing object is created from `next(undefined)`. */
  readonly createsMissing: boolean;
}

export interface Updated {
  readonly served: Served;
  readonly created: boolean;
}

const checkIdentity = (call: WriteCall, wanted: KubeObject, live: KubeObject, method: Change["method"]): void => {
  const { definition, namespace } = call;
  const name = live.metadata.name as string;
  const { metadata } = wanted;
  if (metadata.name !== name) {
    throw badRequest(`the name of the object (${metadata.name ?? ""}) does not match the name on the URL (${name})`);
  }
  if (definition.namespaced && (metadata.namespace ?? "") !== "" && metadata.namespace !== namespace) {
    throw badRequest(
      `the namespace of the object (${metadata.namespace}) does not match the namespace on the request (${namespace})`,
    );
  }
  if ((metadata.uid ?? "") !== "" && metadata.uid !== live.metadata.uid) {
    if (method === "patch") {
      throw invalid(definition, name, [
        { reason: "FieldValueInvalid", field: "metadata.uid", message: "Invalid value: field is immutable" },
      ]);
    }
    const why = `UID in precondition: ${metadata.uid}, UID in object meta: ${live.metadata.uid}`;
    throw conflict(definition, name, `Precondition failed: ${why}`);
  }
};

/** The state of an object that a write insists on; none by 0, as by nothing. */
export const insistedRevision = ({ resourceVersion = "" }: KubeObject["metadata"]): string =>
  /^0+$/.test(resourceVersion) ? "" : resourceVersion;

const checkRevision = (call: WriteCall, wanted: KubeObject, live: KubeObject, method: Change["method"]): void => {
  const { definition } = call;
  const name = live.metadata.name as string;
  const resourceVersion = insistedRevision(wanted.metadata);
  if (resourceVersion === "") {
    if (method !== "apply" && definition.strategy.unconditionalUpdate !== true) {
      throw invalid({ ...definition, kind: definition.plural }, name, [
        {
          reason: "FieldValueInvalid",
          field: "metadata.resourceVersion",
          message: "Invalid value: 0: must be specified for an update",
        },
      ]);
    }
    return;
  }
  if (!/^\d+$/.test(resourceVersion)) {
    throw new StatusError(500, "", `invalid resourceVersion "${resourceVersion}"`);
  }
  if (resourceVersion !== live.metadata.resourceVersion) {
    throw staleConflict(definition, name);
  }
};

/** Returns the live object with those parts of the wanted object that the endpoint accepts. */
const taken = (
  environment: WriteEnvironment,
  call: WriteCall,
  change: Change,
  wanted: KubeObject,
  live: KubeObject,
): KubeObject => {
  const behaviour = change.subresource?.behaviour;
  switch (behaviour?.type) {
    case "status":
      return updatedStatus(wanted, live);
    case "part":
      return behaviour.take(wanted, live, hookContext(environment, call));
    default:
      return updatedObject(call.definition, wanted, live);
  }
};

/** From the wanted object to the one that may be stored. */
const prepare = async (
  environment: WriteEnvironment,
  call: WriteCall,
  change: Change,
  wanted: KubeObject,
  { former, weight }: { readonly former: Served; readonly weight: Weight },
): Promise<KubeObject> => {
  const { definition } = call;
  const turn = weight === "light" ? undefined : nextTurn;
  const live = former.object;
  const subresource = change.subresource?.name ?? "";
  const name = live.metadata.name as string;
  const { warn } = call;
  const allowed = withoutRepeatedOwners(taken(environment, call, change, wanted, live), {
    asSent: change.method === "put",
    warn,
  });
  const owned =
    change.method === "apply"
      ? allowed
      : await withManager(environment, call, { live: former, updated: allowed, subresource });
  const request = admissionRequest(call, { operation: "UPDATE", name, subresource, object: owned, oldObject: live });
  const mutated = await mutate(environment.admission, request);
  const again =
    mutated === owned ? owned : taken(environment, call, change, await normalisedObject(call, mutated), live);
  const admitted = withoutRepeatedOwners(again, { asSent: false, warn });
  await guard(environment.admission, { ...request, object: admitted });
  await turn?.();
  const context = hookContext(environment, call);
  const { strategy } = definition;
  const prepared = subresource === "" ? (strategy.prepareForUpdate?.(admitted, live, context) ?? admitted) : admitted;
  await turn?.();
  const object = withGeneration(definition, prepared, live);
  await turn?.();
  const found =
    weight === "long" && strategy.validateLong !== undefined
      ? await strategy.validateLong(object, live, context, subresource)
      : (strategy.validateUpdate?.(object, live, context, subresource) ?? strategy.validate?.(object, context) ?? []);
  await turn?.();
  const rules = (await strategy.validateRules?.(object, live, found, context)) ?? [];
  await turn?.();
  const causes = [...metadataCauses(definition, object), ...metadataUpdateCauses(object, live), ...found, ...rules];
  if (causes.length > 0) {
    throw invalid(definition, name, causes);
  }
  await approve(environment.admission, { ...request, object });
  return object;
};

/** True when nothing holds the object any more: the write that says so removes it. */
const isReleased = (call: WriteCall, object: KubeObject): boolean => {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = object.metadata;
  return (
    deletionTimestamp !== undefined &&
    (deletionGracePeriodSeconds ?? 0) === 0 &&
    (finalizers ?? []).length === 0 &&
    call.definition.strategy.retains?.(object) !== true
  );
};

/** Returns whether an object is stored as it is to be. Of a large one the texts say so, as long as its members stand in the same order. */
const isStoredAlready = async (given: KubeObject | WrittenObject, stored: StoredObject): Promise<boolean> => {
  if (!isWritten(given)) return sameJson(given, stored.object);
  const text = textAt(given, stored.revision);
  if (text.length !== stored.text.length) return false;
  return text === stored.text || (await sameInTurns(given.object, await stored.load()));
};

/** Stores the object unless the living one, or what its kind chooses for it, has changed meanwhile; then answers `undefined`. */
const commit = async (
  environment: WriteEnvironment,
  call: WriteCall,
  stored: StoredObject,
  { object, weight }: { readonly object: KubeObject; readonly weight: Weight },
): Promise<Served | undefined> => {
  const { definition } = call;
  const record = await toStored(definition, object);
  const written = weight === "light" ? record : await writeObject(record);
  const isUnchanged = await isStoredAlready(written, stored);
  const collection = collectionOf(environment, definition);
  if (collection.get(stored.namespace, stored.name) !== stored) {
    return undefined;
  }
  if (isUnchanged) {
    return await serveOne(definition, stored);
  }
  if (call.dryRun) {
    return servedObject(object);
  }
  if (definition.strategy.isOutrun?.(object, stored.object, hookContext(environment, call)) === true) {
    return undefined;
  }
  const released = isReleased(call, record);
  const { change, durable } = released ? collection.delete(stored, written) : collection.update(stored, written);
  await durable;
  if (weight !== "light") {
    await nextTurn();
  }
  return await serveOne(definition, change.object);
};

/** Changes an object; retries when another user was faster and the caller did not insist on a state. */
export const updateObject = async (
  environment: WriteEnvironment,
  call: WriteCall,
  name: string,
  change: Change,
): Promise<Updated> => {
  const { definition, namespace } = call;
  for (let attempt = 1; ; attempt++) {
    const stored = collectionOf(environment, definition).get(namespace, name);
    if (stored === undefined) {
      if (!change.createsMissing) {
        throw notFound(definition, name);
      }
      call.authorizeCreate?.();
      const managed = change.method === "apply";
      const wanted = await change.next(undefined);
      const { resourceVersion: _, ...metadata } = wanted.metadata;
      const body = { ...wanted, metadata };
      return { served: await createObject(environment, call, body, { managed }), created: true };
    }
    await stored.load();
    const former = await serveOne(definition, stored);
    const live = former.object;
    const wanted = await change.next(former);
    if (stored.text.length > longText) {
      await nextTurn();
    }
    const weight = checkObjectSize(definition.schema, wanted, () => live);
    checkIdentity(call, wanted, live, change.method);
    checkRevision(call, wanted, live, change.method);
    const object = await prepare(environment, call, change, wanted, { former, weight });
    const served = await commit(environment, call, stored, { object, weight });
    if (served !== undefined) {
      return { served, created: false };
    }
    const insists = change.method === "put" && insistedRevision(wanted.metadata) !== "";
    if (insists || attempt === attempts) {
      throw staleConflict(definition, name);
    }
  }
};

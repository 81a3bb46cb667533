import { isDeepStrictEqual } from "node:util";
import type { KubeObject } from "@capstan/schema";
import { normalised } from "../decode/decode-object.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { approve, guard, mutate } from "./admission-chain.ts";
import { createObject } from "./create.ts";
import { metadataCauses, metadataUpdateCauses } from "./metadata.ts";
import { checkObjectSize } from "./object-size.ts";
import { updatedObject, updatedStatus, withGeneration } from "./prepare.ts";
import { withoutRepeatedOwners } from "./repeated-owners.ts";
import { type Served, servedObject, serveOne, toStored } from "./served.ts";
import { badRequest, conflict, invalid, notFound, StatusError, staleConflict } from "../model/status-error.ts";
import type { SubresourceDefinition } from "../model/types.ts";
import {
  admissionRequest,
  collectionOf,
  hookContext,
  type WriteCall,
  type WriteEnvironment,
  withManager,
} from "./write-call.ts";

const attempts = 10;

/** What an update wants. */
export interface Change {
  /** Absent on the main endpoint. Scale changes arrive as changes of the object itself. */
  readonly subresource?: SubresourceDefinition;
  /** The wanted object, from the living one in the served version; or from nothing, when `createsMissing`. */
  readonly next: (live: KubeObject | undefined) => KubeObject;
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

const checkRevision = (call: WriteCall, wanted: KubeObject, live: KubeObject, method: Change["method"]): void => {
  const { definition } = call;
  const name = live.metadata.name as string;
  const { resourceVersion } = wanted.metadata;
  if ((resourceVersion ?? "") === "") {
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
  if (!/^\d+$/.test(resourceVersion as string)) {
    throw new StatusError(500, "", `invalid resourceVersion "${resourceVersion}"`);
  }
  if (resourceVersion !== live.metadata.resourceVersion) {
    throw staleConflict(definition, name);
  }
};

/** What of the wanted object the endpoint takes. */
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
  live: KubeObject,
): Promise<KubeObject> => {
  const { definition } = call;
  const subresource = change.subresource?.name ?? "";
  const name = live.metadata.name as string;
  const { warn } = call;
  const allowed = withoutRepeatedOwners(taken(environment, call, change, wanted, live), {
    asSent: change.method === "put",
    warn,
  });
  const owned =
    change.method === "apply" ? allowed : withManager(environment, call, { live, updated: allowed, subresource });
  const request = admissionRequest(call, { operation: "UPDATE", name, subresource, object: owned, oldObject: live });
  const mutated = await mutate(environment.admission, request);
  const again = mutated === owned ? owned : taken(environment, call, change, normalised(definition, mutated), live);
  const admitted = withoutRepeatedOwners(again, { asSent: false, warn });
  await guard(environment.admission, { ...request, object: admitted });
  const context = hookContext(environment, call);
  const { strategy } = definition;
  const prepared = subresource === "" ? (strategy.prepareForUpdate?.(admitted, live, context) ?? admitted) : admitted;
  const object = withGeneration(definition, prepared, live);
  const causes = [
    ...metadataCauses(definition, object),
    ...metadataUpdateCauses(object, live),
    ...(strategy.validateUpdate?.(object, live, context, subresource) ?? strategy.validate?.(object, context) ?? []),
  ];
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

/** Stores the object unless the living one, or what its kind chooses for it, has changed meanwhile; then answers `undefined`. */
const commit = async (
  environment: WriteEnvironment,
  call: WriteCall,
  stored: StoredObject,
  object: KubeObject,
): Promise<Served | undefined> => {
  const { definition } = call;
  const record = await toStored(definition, object);
  const collection = collectionOf(environment, definition);
  if (collection.get(stored.namespace, stored.name) !== stored) {
    return undefined;
  }
  if (isDeepStrictEqual(record, stored.object)) {
    return await serveOne(definition, stored);
  }
  if (call.dryRun) {
    return servedObject(object);
  }
  if (definition.strategy.isOutrun?.(object, stored.object, hookContext(environment, call)) === true) {
    return undefined;
  }
  const released = isReleased(call, record);
  const { change, durable } = released ? collection.delete(stored, record) : collection.update(stored, record);
  await durable;
  return await serveOne(definition, change.object);
};

/** Changes an object; tries again when somebody else was faster and the caller did not insist on a state. */
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
      const wanted = change.next(undefined);
      const { resourceVersion: _, ...metadata } = wanted.metadata;
      const body = { ...wanted, metadata };
      return { served: await createObject(environment, call, body, { managed }), created: true };
    }
    const live = (await serveOne(definition, stored)).object;
    const wanted = change.next(live);
    checkObjectSize(definition.schema, wanted, live);
    checkIdentity(call, wanted, live, change.method);
    checkRevision(call, wanted, live, change.method);
    const object = await prepare(environment, call, change, wanted, live);
    const served = await commit(environment, call, stored, object);
    if (served !== undefined) {
      return { served, created: false };
    }
    const insists = change.method === "put" && (wanted.metadata.resourceVersion ?? "") !== "";
    if (insists || attempt === attempts) {
      throw staleConflict(definition, name);
    }
  }
};

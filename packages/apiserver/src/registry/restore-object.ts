import { rfc3339 } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import { randomUid } from "./metadata.ts";
import type { Core } from "./resource-store.ts";
import { weightOf } from "./object-size.ts";
import { toStored } from "./served.ts";
import { writeObject } from "../storage/stored-object.ts";
import { badRequest, notFound } from "../model/status-error.ts";
import type { ResourceDefinition } from "../model/types.ts";

/** Outcome for a restored object, and its present uid. */
export interface Restored {
  readonly outcome: "created" | "replaced" | "kept";
  readonly uid: string;
}

const splitVersion = (apiVersion: string): readonly [group: string, version: string] => {
  const [group = "", version = ""] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  return [group, version];
};

const definitionOf = ({ registry }: Core, object: KubeObject): ResourceDefinition => {
  const [group, version] = splitVersion(object.apiVersion);
  const definition = registry.snapshot.findKind(group, version, object.kind);
  if (definition === undefined || definition.virtual !== undefined) {
    throw notFound({ group, plural: object.kind }, object.metadata.name ?? "");
  }
  return definition;
};

/**
 * Stores an object as it was: with its uid, times, generation, status, finalizers and managedFields; only the resourceVersion is new.
 * Neither admission nor validation looks at it. `existing` says what happens to an object that is there already.
 */
export const restoreObject = async (
  core: Core,
  object: KubeObject,
  existing: "keep" | "replace",
): Promise<{ readonly restored: Restored; readonly durable: Promise<void> }> => {
  const definition = definitionOf(core, object);
  const { name = "", namespace = "" } = object.metadata;
  if (name === "" || (namespace !== "") !== definition.namespaced) {
    throw badRequest(`${object.kind} ${JSON.stringify(name)}: name or namespace does not fit the kind`);
  }
  const uid = object.metadata.uid ?? randomUid((length) => core.random.bytes(length));
  const creationTimestamp = object.metadata.creationTimestamp ?? rfc3339(core.clock.now());
  const metadata = { ...object.metadata, uid, creationTimestamp };
  const record = await toStored(definition, { ...object, metadata });
  const collection = core.storage.collection(definition.storage.store);
  const isLight = weightOf(definition.schema, record) === "light";
  const written = isLight ? record : await writeObject(record);
  const present = collection.get(namespace, name);
  if (present !== undefined && existing === "keep") {
    const { uid: kept = "" } = (await present.load()).metadata;
    return { restored: { outcome: "kept", uid: kept }, durable: core.storage.settled() };
  }
  if (present === undefined) {
    const { durable } = collection.create(namespace, name, written);
    return { restored: { outcome: "created", uid }, durable };
  }
  const { durable } = collection.update(present, written);
  return { restored: { outcome: "replaced", uid }, durable };
};

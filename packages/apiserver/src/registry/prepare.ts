import { rfc3339 } from "@capstan/contract";
import { presentFields } from "@capstan/kube-values";
import { type KubeObject, type ObjectMeta, sameJson } from "@capstan/schema";
import type { ResourceDefinition } from "../model/types.ts";

export const hasSubresource = (definition: ResourceDefinition, name: string): boolean =>
  definition.subresources.some((subresource) => subresource.name === name);

const counts = (definition: ResourceDefinition): boolean => definition.strategy.generation !== false;

const { hasOwn } = Object;

const withoutStatus = (object: KubeObject): KubeObject => {
  if (!hasOwn(object, "status")) {
    return object;
  }
  const { status: _, ...rest } = object;
  return rest;
};

/** Members that are not there when they are empty; `managedFields` is not one of them. */
const emptyIsAbsent: ReadonlySet<string> = new Set([
  "annotations",
  "finalizers",
  "generateName",
  "generation",
  "labels",
  "namespace",
  "ownerReferences",
  "resourceVersion",
  "uid",
]);

const isEmpty = (value: unknown): boolean =>
  value === "" || value === 0 || (typeof value === "object" && Object.keys(value as object).length === 0);

/** Metadata as it is kept: without what is empty, which is no wish of a client to take something away, and without `selfLink`, which has no meaning. */
const keptMetadata = (metadata: ObjectMeta): ObjectMeta =>
  Object.fromEntries(
    Object.entries(metadata).filter(
      ([name, value]) =>
        name !== "selfLink" && value !== undefined && value !== null && !(emptyIsAbsent.has(name) && isEmpty(value)),
    ),
  );

/** A new object without what only the server may set; status is dropped where it has an endpoint of its own. */
export const newObject = (definition: ResourceDefinition, object: KubeObject, namespace: string): KubeObject => {
  const {
    uid: _uid,
    resourceVersion: _resourceVersion,
    creationTimestamp: _creationTimestamp,
    deletionTimestamp: _deletionTimestamp,
    deletionGracePeriodSeconds: _grace,
    generation,
    namespace: _namespace,
    ...metadata
  } = keptMetadata(object.metadata);
  const kept = {
    ...object,
    metadata: {
      ...metadata,
      ...(definition.namespaced ? { namespace } : {}),
      ...(counts(definition) || generation === undefined ? {} : { generation }),
    },
  };
  const isDropped = hasSubresource(definition, "status") && definition.strategy.keepsFirstStatus !== true;
  return isDropped ? withoutStatus(kept) : kept;
};

/** Gives a new object its identity. */
export const bornObject = (
  definition: ResourceDefinition,
  object: KubeObject,
  birth: { readonly name: string | undefined; readonly uid: string; readonly now: number },
): KubeObject => ({
  ...object,
  metadata: presentFields<ObjectMeta>({
    ...object.metadata,
    name: birth.name,
    uid: birth.uid,
    creationTimestamp: rfc3339(birth.now),
    generation: counts(definition) ? 1 : object.metadata.generation,
  }),
});

/** An update of `old` through the main endpoint without the changes that clients cannot make there. */
export const updatedObject = (definition: ResourceDefinition, object: KubeObject, old: KubeObject): KubeObject => {
  const before = old.metadata;
  const wanted = keptMetadata(object.metadata);
  const metadata = presentFields<ObjectMeta>({
    ...wanted,
    name: before.name,
    namespace: before.namespace,
    generateName: wanted.generateName ?? before.generateName,
    uid: before.uid,
    resourceVersion: before.resourceVersion,
    creationTimestamp: before.creationTimestamp,
    // Who sets one by an update is told so.
    deletionTimestamp: before.deletionTimestamp ?? wanted.deletionTimestamp,
    deletionGracePeriodSeconds: wanted.deletionGracePeriodSeconds ?? before.deletionGracePeriodSeconds,
    generation: before.generation,
  });
  if (!hasSubresource(definition, "status")) {
    return { ...object, metadata };
  }
  const { status: _, ...rest } = object;
  return { ...rest, metadata, ...(hasOwn(old, "status") ? { status: old["status"] } : {}) };
};

/** An update of `old` through `/status`: only the status is taken. */
export const updatedStatus = (object: KubeObject, old: KubeObject): KubeObject => {
  const { status: _, ...rest } = old;
  const { managedFields } = object.metadata;
  return {
    ...rest,
    metadata: presentFields<ObjectMeta>({ ...old.metadata, managedFields }),
    ...(hasOwn(object, "status") ? { status: object["status"] } : {}),
  };
};

/** Counts the generation up when something besides metadata (and status, where it has its own endpoint) has changed. */
export const withGeneration = (definition: ResourceDefinition, object: KubeObject, old: KubeObject): KubeObject => {
  if (!counts(definition)) {
    return object;
  }
  const ignored = hasSubresource(definition, "status") ? ["metadata", "status"] : ["metadata"];
  const visible = (subject: KubeObject): object =>
    Object.fromEntries(Object.entries(subject).filter(([member]) => !ignored.includes(member)));
  const changed = !sameJson(visible(object), visible(old));
  const generation = old.metadata.generation ?? 0;
  return changed ? { ...object, metadata: { ...object.metadata, generation: generation + 1 } } : object;
};

/** The object with a deletion mark, `ahead` seconds in the future. */
export const markedForDeletion = (
  definition: ResourceDefinition,
  object: KubeObject,
  now: number,
  ahead: number,
): KubeObject => ({
  ...object,
  metadata: {
    ...object.metadata,
    deletionTimestamp: rfc3339(now + ahead * 1000),
    deletionGracePeriodSeconds: ahead,
    ...(counts(definition) ? { generation: (object.metadata.generation ?? 0) + 1 } : {}),
  },
});

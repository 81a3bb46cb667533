import { isJsonObject, type JsonObject } from "../json-object.ts";
import { mapItems, own, withChanges } from "./json.ts";
import { objectMetaSchema, resourceMembers } from "./object-meta.ts";
import { childPath, indexPath } from "./path.ts";
import type { StructuralSchema } from "./structural-schema.ts";

export interface Pruned {
  /** The same value when nothing was dropped; parts without a change are shared. */
  readonly value: unknown;
  /** Paths of the dropped members, sorted. */
  readonly unknown: readonly string[];
}

export interface PruneOptions {
  /** True if `value` is a whole object, with apiVersion, kind and metadata. Default true. */
  readonly resource?: boolean;
  /** True if metadata is left alone. Default false. */
  readonly keepMetadata?: boolean;
}

/**
 * Drops what the schema does not know. Of `metadata`, in whole objects and embedded resources, the members of
 * ObjectMeta stay. Wrong types are left for `validate`.
 */
export const prune = (schema: StructuralSchema, value: unknown, options: PruneOptions = {}): Pruned => {
  const unknown: string[] = [];
  const kept = pruneValue(schema, value, "", { unknown, ...options }, options.resource ?? true);
  return { value: kept, unknown: unknown.sort() };
};

interface Pruning extends PruneOptions {
  readonly unknown: string[];
}

const pruneValue = (
  schema: StructuralSchema | undefined,
  value: unknown,
  path: string,
  pruning: Pruning,
  resource = schema?.["x-kubernetes-embedded-resource"] === true,
  preserving = schema?.["x-kubernetes-preserve-unknown-fields"] === true,
): unknown => {
  if (Array.isArray(value)) return pruneList(schema, value, path, pruning, preserving);
  return isJsonObject(value) ? pruneObject(schema, value, path, pruning, resource, preserving) : value;
};

/** The items of a list that preserves unknown fields preserve theirs, through nested lists; their declared members do not. */
const pruneList = (
  schema: StructuralSchema | undefined,
  value: readonly unknown[],
  path: string,
  pruning: Pruning,
  preserving: boolean,
): readonly unknown[] => {
  const items = schema?.items;
  if (preserving && items === undefined) return value;
  const keeps = preserving || items?.["x-kubernetes-preserve-unknown-fields"] === true;
  return mapItems(value, (item, index) => pruneValue(items, item, indexPath(path, index), pruning, undefined, keeps));
};

const pruneObject = (
  schema: StructuralSchema | undefined,
  value: JsonObject,
  path: string,
  pruning: Pruning,
  resource: boolean,
  preserving: boolean,
): JsonObject => {
  const changes = new Map<string, unknown>();
  for (const name of Object.keys(value)) {
    const member = value[name];
    const isKnown = schema?.additionalProperties !== undefined || own(schema?.properties, name) !== undefined;
    // Nothing is in it that could be dropped.
    if (isKnown && typeof member !== "object") continue;
    const at = childPath(path, name);
    if (resource && resourceMembers.has(name)) {
      if (name === "metadata" && pruning.keepMetadata !== true) {
        note(changes, name, member, pruneValue(objectMetaSchema, metadataOf(schema, member), at, pruning));
      }
      continue;
    }
    const property = own(schema?.properties, name);
    const additional = schema?.additionalProperties;
    if (property !== undefined) {
      note(changes, name, member, pruneValue(property, member, at, pruning));
    } else if (additional !== undefined) {
      const values = typeof additional === "object" ? additional : undefined;
      note(changes, name, member, pruneValue(values, member, at, pruning));
    } else if (!preserving) {
      pruning.unknown.push(at);
      changes.set(name, undefined);
    }
  }
  return withChanges(value, changes);
};

/** Null stands for empty metadata, but where the schema declares metadata: there it is absent, as other nulls. */
const metadataOf = (schema: StructuralSchema | undefined, member: unknown): unknown =>
  member === null && own(schema?.properties, "metadata") === undefined ? {} : member;

const note = (changes: Map<string, unknown>, name: string, before: unknown, after: unknown): void => {
  if (after !== before) changes.set(name, after);
};

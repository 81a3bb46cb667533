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
  /** Whether `value` is a whole object, with apiVersion, kind and metadata. Default true. */
  readonly resource?: boolean;
}

/**
 * Drops what the schema does not know. Of `metadata`, in whole objects and embedded resources, the members of
 * ObjectMeta stay. Wrong types are left for `validate`.
 */
export const prune = (schema: StructuralSchema, value: unknown, options: PruneOptions = {}): Pruned => {
  const unknown: string[] = [];
  const kept = pruneValue(schema, value, "", unknown, options.resource ?? true);
  return { value: kept, unknown: unknown.sort() };
};

const pruneValue = (
  schema: StructuralSchema | undefined,
  value: unknown,
  path: string,
  unknown: string[],
  resource = schema?.["x-kubernetes-embedded-resource"] === true,
  preserving = schema?.["x-kubernetes-preserve-unknown-fields"] === true,
): unknown => {
  if (Array.isArray(value)) return pruneList(schema, value, path, unknown, preserving);
  return isJsonObject(value) ? pruneObject(schema, value, path, unknown, resource, preserving) : value;
};

/** The items of a list that preserves unknown fields preserve theirs, through nested lists; their declared members do not. */
const pruneList = (
  schema: StructuralSchema | undefined,
  value: readonly unknown[],
  path: string,
  unknown: string[],
  preserving: boolean,
): readonly unknown[] => {
  const items = schema?.items;
  if (preserving && items === undefined) return value;
  const keeps = preserving || items?.["x-kubernetes-preserve-unknown-fields"] === true;
  return mapItems(value, (item, index) => pruneValue(items, item, indexPath(path, index), unknown, undefined, keeps));
};

const pruneObject = (
  schema: StructuralSchema | undefined,
  value: JsonObject,
  path: string,
  unknown: string[],
  resource: boolean,
  preserving: boolean,
): JsonObject => {
  const changes = new Map<string, unknown>();
  for (const [name, member] of Object.entries(value)) {
    const at = childPath(path, name);
    if (resource && resourceMembers.has(name)) {
      if (name === "metadata") note(changes, name, member, pruneValue(objectMetaSchema, member, at, unknown));
      continue;
    }
    const property = own(schema?.properties, name);
    const additional = schema?.additionalProperties;
    if (property !== undefined) {
      note(changes, name, member, pruneValue(property, member, at, unknown));
    } else if (additional !== undefined && additional !== false) {
      const values = additional === true ? undefined : additional;
      note(changes, name, member, pruneValue(values, member, at, unknown));
    } else if (!preserving) {
      unknown.push(at);
      changes.set(name, undefined);
    }
  }
  return withChanges(value, changes);
};

const note = (changes: Map<string, unknown>, name: string, before: unknown, after: unknown): void => {
  if (after !== before) changes.set(name, after);
};

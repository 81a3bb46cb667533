import { isJsonObject, type JsonObject } from "../json-object.ts";
import { mapItems, own, withChanges } from "./json.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/**
 * Fills in defaults of missing members, and of members that are null where null is not allowed; such nulls without a
 * default are dropped, except in lists. Parts without a change are shared with the input.
 */
export const applyDefaults = (schema: StructuralSchema, value: unknown): unknown => {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined
      ? value
      : mapItems(value, (item) => applyDefaults(items, isStrayNull(items, item) ? (defaultOf(items) ?? null) : item));
  }
  return isJsonObject(value) ? defaultsOfObject(schema, value) : value;
};

const defaultsOfObject = (schema: StructuralSchema, value: JsonObject): JsonObject => {
  const changes = new Map<string, unknown>();
  for (const [name, member] of Object.entries(value)) {
    const of = own(schema.properties, name) ?? valuesOf(schema);
    if (of === undefined) continue;
    const filled = isStrayNull(of, member) ? defaultOf(of) : member;
    const complete = filled === undefined ? undefined : applyDefaults(of, filled);
    if (complete !== member) changes.set(name, complete);
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (Object.hasOwn(value, name)) continue;
    const filled = defaultOf(property);
    if (filled !== undefined) changes.set(name, applyDefaults(property, filled));
  }
  return withChanges(value, changes);
};

const valuesOf = ({ additionalProperties }: StructuralSchema): StructuralSchema | undefined =>
  typeof additionalProperties === "object" ? additionalProperties : undefined;

const isStrayNull = (schema: StructuralSchema, value: unknown): boolean => value === null && schema.nullable !== true;

/** A default of null counts as none. */
const defaultOf = (schema: StructuralSchema): unknown =>
  typeof schema.default === "object" ? (structuredClone(schema.default) ?? undefined) : schema.default;

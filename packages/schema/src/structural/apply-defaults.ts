import { isJsonObject, type JsonObject } from "../json-object.ts";
import { mapItems, own, withChanges } from "./json.ts";
import type { StructuralSchema } from "./structural-schema.ts";

export interface DefaultOptions {
  /** Nulls that stand for absent values stay, for validation to refuse them. Default false. */
  readonly keepNulls?: boolean;
}

/**
 * Fills in defaults of missing members, and of members that are null where null is not allowed; such nulls without a
 * default are dropped, except in lists. Parts without a change are shared with the input.
 */
export const applyDefaults = (schema: StructuralSchema, value: unknown, options: DefaultOptions = {}): unknown => {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined
      ? value
      : mapItems(value, (item) =>
          applyDefaults(items, isStrayNull(items, item) ? (defaultOf(items) ?? null) : item, options),
        );
  }
  return isJsonObject(value) ? defaultsOfObject(schema, value, options) : value;
};

const defaultsOfObject = (schema: StructuralSchema, value: JsonObject, options: DefaultOptions): JsonObject => {
  const nullOf = options.keepNulls === true ? null : undefined;
  const changes = new Map<string, unknown>();
  for (const name of Object.keys(value)) {
    const member = value[name];
    // Nothing is missing in it.
    if (typeof member !== "object" && member !== undefined) continue;
    const of = own(schema.properties, name) ?? valuesOf(schema);
    if (of === undefined) continue;
    const filled = isStrayNull(of, member) ? (defaultOf(of) ?? (isTyped(of) ? nullOf : undefined)) : member;
    const complete = filled === undefined ? undefined : applyDefaults(of, filled, options);
    if (complete !== member) changes.set(name, complete);
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (Object.hasOwn(value, name)) continue;
    const filled = defaultOf(property);
    if (filled !== undefined) changes.set(name, applyDefaults(property, filled, options));
  }
  return withChanges(value, changes);
};

const valuesOf = ({ additionalProperties }: StructuralSchema): StructuralSchema | undefined =>
  typeof additionalProperties === "object" ? additionalProperties : undefined;

const isStrayNull = (schema: StructuralSchema, value: unknown): boolean => value === null && schema.nullable !== true;

/** Returns whether a null that stands for an absent value would be refused. */
const isTyped = (schema: StructuralSchema): boolean =>
  schema.type !== undefined || schema["x-kubernetes-int-or-string"] === true || schema.enum !== undefined;

/** A default of null counts as none. */
const defaultOf = (schema: StructuralSchema): unknown =>
  typeof schema.default === "object" ? (structuredClone(schema.default) ?? undefined) : schema.default;

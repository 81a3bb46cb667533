import { isJsonObject, own } from "@capstan/schema";
import type { StructuralSchema } from "@capstan/schema/structural";
import { keyElement, valueElement } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";

type Schema = StructuralSchema | undefined;

/** Granularity in which a value is merged and owned: as a whole, by member, or by list element. */
export type Shape = "leaf" | "map" | "list";

/** The shape the schema gives to a value. Without a schema (unknown content) objects are maps and lists are leafs. */
export const shapeOf = (value: unknown, schema: Schema): Shape => {
  if (Array.isArray(value)) {
    const type = schema?.["x-kubernetes-list-type"];
    return type === "map" || type === "set" ? "list" : "leaf";
  }
  return isJsonObject(value) && schema?.["x-kubernetes-map-type"] !== "atomic" ? "map" : "leaf";
};

/** True when the schema names the member (in contrast to a key of a map or unknown content). */
export const isDeclared = (schema: Schema, name: string): boolean =>
  schema?.properties !== undefined && Object.hasOwn(schema.properties, name);

const embeddedMembers = new Set(["apiVersion", "kind", "metadata"]);

/** False for a member that the schema has no place for. */
export const isAllowed = (schema: Schema, name: string): boolean =>
  schema === undefined ||
  isDeclared(schema, name) ||
  schema["x-kubernetes-preserve-unknown-fields"] === true ||
  (schema["x-kubernetes-embedded-resource"] === true && embeddedMembers.has(name)) ||
  (schema.additionalProperties !== undefined && schema.additionalProperties !== false) ||
  (schema.type === undefined && schema.properties === undefined);

/** Schema of a member; undefined for unknown content. */
export const memberSchema = (schema: Schema, name: string): Schema => {
  if (isDeclared(schema, name)) {
    return schema?.properties?.[name];
  }
  return typeof schema?.additionalProperties === "object" ? schema.additionalProperties : undefined;
};

/** The identity of a list element: its value in a set, the values of the list's keys (or their defaults) otherwise. */
export const elementOf = (item: unknown, listSchema: Schema): PathElement => {
  if (listSchema?.["x-kubernetes-list-type"] !== "map" || !isJsonObject(item)) {
    return valueElement(item);
  }
  const keys: Record<string, unknown> = {};
  for (const key of listSchema["x-kubernetes-list-map-keys"] ?? []) {
    const given = own(item, key);
    const value = given === undefined ? listSchema.items?.properties?.[key]?.default : given;
    if (value !== undefined) {
      keys[key] = value;
    }
  }
  return keyElement(keys);
};

/** The elements of a list by identity; of those with the same one the last. */
export const elementsOf = (list: readonly unknown[], listSchema: Schema): ReadonlyMap<PathElement, unknown> =>
  new Map(list.map((item) => [elementOf(item, listSchema), item]));

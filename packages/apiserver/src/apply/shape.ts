import type { StructuralSchema } from "@capstan/schema/structural";
import { isJsonObject, memberOf } from "../patch/json-value.ts";
import type { JsonObject } from "../patch/json-value.ts";
import { fieldElement, keyElement, valueElement } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";

type Schema = StructuralSchema | undefined;

/** How a value is merged and owned: as a whole, by member, or by list element. */
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
  const keys = (listSchema["x-kubernetes-list-map-keys"] ?? []).map(
    (key) => [key, memberOf(item, key) ?? listSchema.items?.properties?.[key]?.default] as const,
  );
  return keyElement(Object.fromEntries(keys.filter(([, value]) => value !== undefined)));
};

/** The children of a map or list by path element, with their schemas. Empty for a leaf. */
export const childrenOf = (value: unknown, schema: Schema): ReadonlyMap<PathElement, Child> => {
  switch (shapeOf(value, schema)) {
    case "map":
      return new Map(
        Object.entries(value as JsonObject).map(([name, member]) => [
          fieldElement(name),
          { value: member, schema: memberSchema(schema, name), declared: isDeclared(schema, name) },
        ]),
      );
    case "list":
      return new Map(
        (value as readonly unknown[]).map((item) => [
          elementOf(item, schema),
          { value: item, schema: schema?.items, declared: false },
        ]),
      );
    default:
      return new Map();
  }
};

export interface Child {
  readonly value: unknown;
  readonly schema: Schema;
  /** A member that the schema names. */
  readonly declared: boolean;
}

import type { StructuralSchema } from "@capstan/schema/structural";
import { isJsonObject, memberOf } from "../patch/json-value.ts";
import { displayElement, fieldElement } from "./path-element.ts";
import { elementOf, isAllowed, memberSchema } from "./shape.ts";

/**
 * Why an applied configuration does not fit its schema, each as `.spec.x: what is wrong`. Looks at what apply needs (members,
 * types, identities of list elements); values are validated later.
 */
export const typingErrors = (value: unknown, schema: StructuralSchema | undefined, path = ""): readonly string[] => {
  if (value === null || schema === undefined) {
    return [];
  }
  const wrong = wrongType(value, schema);
  if (wrong !== undefined) {
    return [`${path}: ${wrong}`];
  }
  if (Array.isArray(value)) {
    return listErrors(value, schema, path);
  }
  if (!isJsonObject(value)) {
    return [];
  }
  return Object.keys(value).flatMap((name) => {
    const below = path + displayElement(fieldElement(name));
    return isAllowed(schema, name)
      ? typingErrors(value[name], memberSchema(schema, name), below)
      : [`${below}: field not declared in schema`];
  });
};

const listErrors = (list: readonly unknown[], schema: StructuralSchema, path: string): readonly string[] => {
  const listType = schema["x-kubernetes-list-type"];
  const seen = new Set<string>();
  return list.flatMap((item, index) => {
    if (listType !== "map" && listType !== "set") {
      return typingErrors(item, schema.items, `${path}[${index}]`);
    }
    const missing = listType === "map" ? missingKey(item, schema) : undefined;
    if (missing !== undefined) {
      return [`${path}: element ${index}: ${missing}`];
    }
    const element = elementOf(item, schema);
    const identity = displayElement(element);
    if (seen.has(element)) {
      return [`${path}: duplicate entries for key ${identity}`];
    }
    seen.add(element);
    return typingErrors(item, schema.items, path + identity);
  });
};

const missingKey = (item: unknown, schema: StructuralSchema): string | undefined => {
  if (!isJsonObject(item)) {
    return "associative list without object elements";
  }
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const omitted = keys.find(
    (key) => memberOf(item, key) === undefined && schema.items?.properties?.[key]?.default === undefined,
  );
  return omitted === undefined
    ? undefined
    : `associative list with keys has an element that omits key field "${omitted}" (and doesn't have default value)`;
};

const wrongType = (value: unknown, schema: StructuralSchema): string | undefined => {
  if (schema["x-kubernetes-int-or-string"] === true) {
    return typeof value === "number" || typeof value === "string"
      ? undefined
      : `expected number or string, got ${nameOf(value)}`;
  }
  const { type } = schema;
  if (type === undefined) {
    return undefined;
  }
  const expected = type === "integer" ? "number" : type;
  return expected === nameOf(value) ? undefined : `expected ${type}, got ${nameOf(value)}`;
};

const nameOf = (value: unknown): string => (Array.isArray(value) ? "array" : typeof value);

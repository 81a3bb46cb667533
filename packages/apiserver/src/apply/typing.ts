import { isJsonObject, own } from "@capstan/schema";
import type { StructuralSchema } from "@capstan/schema/structural";
import { displayElement } from "./path-element.ts";
import { elementOf, isAllowed, memberSchema } from "./shape.ts";

/**
 * Why an applied configuration does not fit its schema, each as `.spec.x: what is wrong`. Looks at what apply needs (members,
 * types, identities of list elements); values are validated later.
 */
export const typingErrors = (value: unknown, schema: StructuralSchema | undefined): readonly string[] => {
  const errors: string[] = [];
  collect(errors, value, schema, "");
  return errors;
};

const collect = (errors: string[], value: unknown, schema: StructuralSchema | undefined, path: string): void => {
  if (value === null || schema === undefined) {
    return;
  }
  const wrong = wrongType(value, schema);
  if (wrong !== undefined) {
    errors.push(`${path}: ${wrong}`);
  } else if (Array.isArray(value)) {
    collectList(errors, value, schema, path);
  } else if (isJsonObject(value)) {
    for (const name of Object.keys(value)) {
      if (isAllowed(schema, name)) {
        collect(errors, value[name], memberSchema(schema, name), `${path}.${name}`);
      } else {
        errors.push(`${path}.${name}: field not declared in schema`);
      }
    }
  }
};

const collectList = (errors: string[], list: readonly unknown[], schema: StructuralSchema, path: string): void => {
  const listType = schema["x-kubernetes-list-type"];
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    if (listType !== "map" && listType !== "set") {
      collect(errors, item, schema.items, `${path}[${index}]`);
      continue;
    }
    const missing = listType === "map" ? missingKey(item, schema) : item === null ? "set item is null" : undefined;
    if (missing !== undefined) {
      errors.push(`${path}: element ${index}: ${missing}`);
      continue;
    }
    const element = elementOf(item, schema);
    const identity = displayElement(element);
    if (seen.has(element)) {
      errors.push(`${path}: duplicate entries for key ${identity}`);
      continue;
    }
    seen.add(element);
    collect(errors, item, schema.items, path + identity);
  }
};

const missingKey = (item: unknown, schema: StructuralSchema): string | undefined => {
  if (!isJsonObject(item)) {
    return "associative list without object elements";
  }
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const omitted = keys.find(
    (key) => own(item, key) === undefined && schema.items?.properties?.[key]?.default === undefined,
  );
  return omitted === undefined
    ? undefined
    : `associative list with keys has an element that omits key field "${omitted}" (and doesn't have default value)`;
};

const wrongType = (value: unknown, schema: StructuralSchema): string | undefined => {
  if (schema["x-kubernetes-int-or-string"] === true) {
    return nameOf(value) === "number" || typeof value === "string"
      ? undefined
      : `expected number or string, got ${nameOf(value)}`;
  }
  const { type } = schema;
  if (type === undefined) {
    return undefined;
  }
  if (type === "string" && isOfAnyScalar(schema)) {
    return ["string", "number", "boolean"].includes(nameOf(value))
      ? undefined
      : `expected any scalar, got ${nameOf(value)}`;
  }
  const expected = type === "integer" ? "number" : type;
  return expected === nameOf(value) ? undefined : `expected ${type}, got ${nameOf(value)}`;
};

/** Reports whether a string may be any scalar: one with a format other than base64, which is parsed later. */
const isOfAnyScalar = ({ format = "" }: StructuralSchema): boolean => format !== "" && format !== "byte";

const nameOf = (value: unknown): string =>
  Array.isArray(value) ? "array" : typeof value === "bigint" ? "number" : typeof value;

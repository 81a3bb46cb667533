import { isJsonObject, type JsonObject } from "../json-object.ts";
import { own } from "./json.ts";
import { objectMetaSchema } from "./object-meta.ts";
import { childPath, indexPath } from "./path.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import { validate } from "./validate.ts";

/**
 * Returns the fault that makes the identity of an embedded resource unreadable: apiVersion and kind must be texts,
 * metadata an ObjectMeta.
 */
const faultOfIdentity = (value: JsonObject, path: string): string | undefined => {
  for (const name of ["apiVersion", "kind"]) {
    const member = own(value, name);
    if (member !== undefined && typeof member !== "string") return `${childPath(path, name)} must be a string`;
  }
  const metadata = own(value, "metadata") ?? {};
  const at = childPath(path, "metadata");
  const wrong = validate(objectMetaSchema, metadata, { path: at }).find(
    ({ reason }) => reason === "FieldValueTypeInvalid",
  );
  return wrong === undefined ? undefined : `${wrong.field} has the wrong type`;
};

const known = new WeakMap<StructuralSchema, boolean>();

/** Returns whether a resource is embedded anywhere; most schemas have none. */
const hasResource = (schema: StructuralSchema): boolean => {
  const { items, properties = {}, additionalProperties: values } = schema;
  const has =
    known.get(schema) ??
    (schema["x-kubernetes-embedded-resource"] === true ||
      (items !== undefined && hasResource(items)) ||
      (typeof values === "object" && hasResource(values)) ||
      Object.values(properties).some(hasResource));
  known.set(schema, has);
  return has;
};

/** Why a value cannot be decoded because of an embedded resource in it; `undefined` when it can. */
export const resourceFault = (schema: StructuralSchema, value: unknown, path = ""): string | undefined => {
  if (!hasResource(schema)) return undefined;
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return undefined;
    return firstOf(value.entries(), ([index, item]) => resourceFault(items, item, indexPath(path, index)));
  }
  if (!isJsonObject(value)) return undefined;
  const isResource = schema["x-kubernetes-embedded-resource"] === true;
  const fault = isResource ? faultOfIdentity(value, path) : undefined;
  return (
    fault ??
    firstOf(Object.entries(value), ([name, member]) => {
      const { additionalProperties: values } = schema;
      const of = own(schema.properties, name) ?? (typeof values === "object" ? values : undefined);
      return of === undefined ? undefined : resourceFault(of, member, childPath(path, name));
    })
  );
};

const firstOf = <T>(all: Iterable<T>, find: (one: T) => string | undefined): string | undefined => {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
};

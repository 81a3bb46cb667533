import { isJsonObject, type KubeObject, own } from "@capstan/schema";
import type { Cause, StructuralSchema } from "@capstan/schema/structural";

/**
 * A cause for every field that the schema requires and the object lacks; empty text counts as absent. Metadata is left to the
 * general checks.
 */
export const requiredCauses = (object: KubeObject, schema: StructuralSchema): readonly Cause[] => {
  const { metadata: _, ...rest } = object;
  return missingIn(rest, { ...schema, required: (schema.required ?? []).filter((name) => name !== "metadata") }, "");
};

const missingIn = (value: unknown, schema: StructuralSchema, path: string): readonly Cause[] => {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined || !mayRequire(items)
      ? []
      : value.flatMap((item, index) => missingIn(item, items, `${path}[${index}]`));
  }
  if (!isJsonObject(value)) {
    return [];
  }
  const below = (name: string): string => (path === "" ? name : `${path}.${name}`);
  const missing = (schema.required ?? [])
    .filter((name) => isMissing(name, own(value, name)))
    .map((name): Cause => ({ reason: "FieldValueRequired", field: below(name), message: "Required value" }));
  const { properties, additionalProperties } = schema;
  const ofOthers = typeof additionalProperties === "object" && mayRequire(additionalProperties);
  // Of a map of scalars nothing is looked at, however many there are.
  const inside = (properties === undefined && !ofOthers ? [] : Object.keys(value)).flatMap((name) => {
    const declared = properties !== undefined && Object.hasOwn(properties, name);
    const member = declared ? properties[name] : additionalProperties;
    const memberPath = declared ? below(name) : `${path}[${name}]`;
    return typeof member === "object" && mayRequire(member) ? missingIn(value[name], member, memberPath) : [];
  });
  return [...missing, ...inside];
};

/** Names and the like cannot be empty, values (of headers, of settings) can. */
const isMissing = (name: string, value: unknown): boolean =>
  value === undefined || value === null || (value === "" && name !== "value");

/** False for scalars, which are most of the nodes. */
const mayRequire = ({ type }: StructuralSchema): boolean => type === "object" || type === "array";

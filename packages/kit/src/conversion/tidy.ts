import { isJsonObject, type StructuralSchema } from "@capstan/schema";

/** Returns whether a value is the zero value of its type, and the schema refuses it: older versions meant "unset" by it. */
const refusedZero = (schema: StructuralSchema, value: unknown): boolean => {
  if (value === "") return (schema.minLength ?? 0) > 0 || schema.enum?.includes("") === false;
  if (value === 0) return (schema.minimum ?? 0) > 0;
  if (Array.isArray(value)) return value.length === 0 && (schema.minItems ?? 0) > 0;
  if (!isJsonObject(value)) return false;
  const members = Object.entries(value);
  if (members.length === 0) return (schema.minProperties ?? 0) > 0;
  return members.every(([name, member]) => refusedZero(schema.properties?.[name] ?? {}, member));
};

/** The value without optional members that are zero values which the schema refuses. */
export const tidy = (schema: StructuralSchema, value: unknown): unknown => {
  const { items, properties, additionalProperties, required = [] } = schema;
  if (Array.isArray(value)) return items === undefined ? value : value.map((entry: unknown) => tidy(items, entry));
  if (!isJsonObject(value)) return value;
  const result: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const own = properties?.[name];
    const of = own ?? (typeof additionalProperties === "object" ? additionalProperties : {});
    const tidied = tidy(of, member);
    if (own === undefined || required.includes(name) || !refusedZero(own, tidied)) result[name] = tidied;
  }
  return result;
};

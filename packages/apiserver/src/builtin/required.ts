import type { Cause, StructuralSchema } from "@capstan/schema/structural";
import { isJsonObject, memberOf } from "../patch/json-value.ts";

/** A cause for every field that the schema requires and the value lacks; empty text counts as absent. */
export const requiredCauses = (value: unknown, schema: StructuralSchema, path = ""): readonly Cause[] => {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined || !mayRequire(items)
      ? []
      : value.flatMap((item, index) => requiredCauses(item, items, `${path}[${index}]`));
  }
  if (!isJsonObject(value)) {
    return [];
  }
  const below = (name: string): string => (path === "" ? name : `${path}.${name}`);
  const missing = (schema.required ?? [])
    .filter((name) => [undefined, null, ""].includes(memberOf(value, name) as undefined))
    .map((name): Cause => ({ reason: "FieldValueRequired", field: below(name), message: "Required value" }));
  const inside = Object.keys(value).flatMap((name) => {
    const { properties, additionalProperties } = schema;
    const declared = properties !== undefined && Object.hasOwn(properties, name);
    const member = declared ? properties[name] : additionalProperties;
    const memberPath = declared ? below(name) : `${path}[${name}]`;
    return typeof member === "object" && mayRequire(member) ? requiredCauses(value[name], member, memberPath) : [];
  });
  return [...missing, ...inside];
};

/** False for scalars, which are most of the nodes. */
const mayRequire = ({ type }: StructuralSchema): boolean => type === "object" || type === "array";

import { isJsonObject } from "@capstan/schema";
import type { Shape } from "./shape.ts";

/** A value that fits its shape, without the fields that no one can change. */
export const withoutReadOnly = (value: unknown, shape: Shape): unknown => {
  if (shape.type === "array" && Array.isArray(value)) return value.map((item) => withoutReadOnly(item, shape.items));
  if (shape.type !== "object" || !isJsonObject(value)) return value;
  const kept = Object.entries(value).flatMap(([name, entry]) => {
    const field = shape.fields[name];
    if (field?.readOnly === true) return [];
    return [[name, field === undefined ? entry : withoutReadOnly(entry, field)] as const];
  });
  return Object.fromEntries(kept);
};

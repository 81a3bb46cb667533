import { json, type Shape } from "@capstan/simulation";
import { isJsonObject } from "@capstan/schema";

/** Shape of a field that answers show. Requests may send it back but do not change it. */
export const readOnly: Shape = { ...json };

/** A value as it is kept: without what requests do not change. */
export const writable = (value: unknown, shape: Shape): unknown => {
  if (shape.type === "array" && Array.isArray(value)) return value.map((item) => writable(item, shape.items));
  if (shape.type !== "object" || !isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => shape.fields[name] !== readOnly && (shape.open !== true || name in shape.fields))
      .map(([name, entry]) => [name, writable(entry, shape.fields[name] ?? json)]),
  );
};

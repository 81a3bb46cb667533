import { isJsonObject } from "@capstan/schema";

/** Every text in a value, each with its field. */
export const textsIn = (value: unknown, field: string): readonly (readonly [field: string, text: string])[] => {
  if (typeof value === "string") return [[field, value]];
  if (Array.isArray(value)) return value.flatMap((item: unknown, index) => textsIn(item, `${field}[${index}]`));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => textsIn(member, `${field}.${name}`));
};

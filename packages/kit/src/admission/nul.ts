import { type Cause, isJsonObject } from "@capstan/schema";
import { invalidContent } from "./causes.ts";

/** Every text with the character NUL, which ends a line of a shell, a path and an argument wherever a machine meets it. */
export const nulCauses = (value: unknown, field: string): readonly Cause[] => {
  if (typeof value === "string") {
    return value.includes("\0")
      ? [invalidContent(field, "must not have the character NUL; put such bytes into a Secret")]
      : [];
  }
  if (Array.isArray(value)) return value.flatMap((item: unknown, index) => nulCauses(item, `${field}[${index}]`));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => nulCauses(member, `${field}.${name}`));
};

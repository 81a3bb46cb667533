import { invalid, nulCauses } from "@capstan/kit/admission";
import { type Cause, isJsonObject } from "@capstan/schema";

/** Fields whose text may have several lines and any character: it is written escaped. */
const free = new Set([
  "content",
  "config",
  "data",
  "preRKE2Commands",
  "postRKE2Commands",
  "preK3sCommands",
  "postK3sCommands",
]);

const isControl = (character: string): boolean => {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x20 || code === 0x7f;
};

/** Every text with control characters, which no path, name or argument has, and NUL, which nothing has. */
export const controlCharacters = (value: unknown, field: string): readonly Cause[] => {
  if (typeof value === "string") {
    return Array.from(value).some(isControl) ? [invalid(field, value, "must have no control characters")] : [];
  }
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) => controlCharacters(item, `${field}[${index}]`));
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    free.has(name) ? nulCauses(member, `${field}.${name}`) : controlCharacters(member, `${field}.${name}`),
  );
};

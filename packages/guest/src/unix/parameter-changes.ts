import { replaced } from "./pattern.ts";
import { inQuotes, inSingleQuotes } from "./quoting.ts";

const upper = (text: string): string => text.toUpperCase();
const lower = (text: string): string => text.toLowerCase();
const first = (text: string, change: (text: string) => string): string => change(text.charAt(0)) + text.slice(1);

const ofOperator: Readonly<Record<string, (text: string) => string>> = {
  "^^": upper,
  ",,": lower,
  "^": (text) => first(text, upper),
  ",": (text) => first(text, lower),
};

const ofLetter: Readonly<Record<string, (text: string) => string>> = {
  Q: inSingleQuotes,
  U: upper,
  L: lower,
  u: (text) => first(text, upper),
  E: (text) => text,
  P: (text) => text,
  A: inQuotes,
};

/** Texts as the operators change them that bash has beyond the standard. */
export const changed = (
  values: readonly string[],
  operator: string,
  { by, pattern }: { readonly pattern: string; readonly by: string },
): readonly string[] => {
  const change = operator === "@" ? ofLetter[pattern] : ofOperator[operator];
  if (change !== undefined) return values.map(change);
  if (pattern.startsWith("#") || pattern.startsWith("%")) {
    const at = pattern.startsWith("#") ? "begin" : "end";
    return values.map((value) => replaced(value, pattern.slice(1), by, { all: false, at }));
  }
  return values.map((value) => replaced(value, pattern, by, { all: operator === "//" }));
};

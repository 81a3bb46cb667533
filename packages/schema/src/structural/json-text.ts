import { hasBackslashedName, hasEscapedName, parseNameByName } from "./escaped-names.ts";

/** Anything that may be an integer which a number cannot hold; most texts have none and are parsed at full speed. */
const longInteger = /\d{16}/;
const [least, most] = [-(2n ** 63n), 2n ** 63n - 1n];

/** Characters of the longest 64-bit integer. To read an integer of millions of digits takes seconds. */
const longest = String(least).length;

const exact = (_name: string, value: unknown, { source }: { readonly source?: string }): unknown => {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  if (source === undefined || source.length > longest || !/^-?\d+$/.test(source)) return value;
  const integer = BigInt(source);
  return integer >= least && integer <= most ? integer : value;
};

/** Part of every engine that this runs on, but not of TypeScript's library yet. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

const written = (_name: string, value: unknown): unknown =>
  typeof value === "bigint" ? rawJSON(String(value)) : value;

const parsed = (text: string): unknown =>
  longInteger.test(text) ? JSON.parse(text, exact as (name: string, value: unknown) => unknown) : JSON.parse(text);

/**
 * Parses JSON text; 64-bit integers that a number cannot hold become a bigint, so that nothing is lost. Throws a `SyntaxError`.
 *
 * V8 takes a name that is written with escapes for another one with a backslash, when it has seen that before at the same place of an
 * object (nodejs/node#63785). Whoever may send one such text would change what the names in `managedFields` are read as, for everybody.
 */
export const parseJson = (text: string): unknown => {
  const value = parsed(text);
  return hasEscapedName(text) && hasBackslashedName(value)
    ? parseNameByName(text, (source) => exact("", JSON.parse(source), { source }))
    : value;
};

/** JSON text of a value that may hold a bigint. */
export const jsonText = (value: unknown): string => {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Only a bigint is refused; asking for it beforehand would cost as much as writing.
    if (error instanceof TypeError) {
      return JSON.stringify(value, written);
    }
    throw error;
  }
};

import { GoObject } from "./go-object.ts";
import { isFloat, isInteger, toNumber } from "./numbers.ts";

/** A map of Go with names as keys. */
export type GoMap = Readonly<Record<string, unknown>>;

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

export const isMap = (value: unknown): value is GoMap =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  !isFloat(value) &&
  !(value instanceof GoObject);

/** The keys of a map in the order of Go. */
export const sortedKeys = (map: GoMap): readonly string[] =>
  Object.keys(map).sort((a, b) => (a < b ? -1 : Number(a > b)));

/** The member of a map, and whether there is one. */
export const member = (map: GoMap, key: string): { readonly found: boolean; readonly value: unknown } =>
  Object.hasOwn(map, key) ? { found: true, value: map[key] } : { found: false, value: undefined };

/** The kind of a value in Go's words. */
export const kindOf = (value: unknown): string => {
  if (value === undefined || value === null) return "invalid";
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (isInteger(value)) return "int";
  if (isFloat(value)) return "float64";
  if (value instanceof GoObject) return value.kind;
  return isList(value) ? "slice" : "map";
};

/** The type of a value in Go's words. */
export const typeOf = (value: unknown): string => {
  if (value === undefined || value === null) return "<nil>";
  if (isList(value)) return "[]interface {}";
  if (value instanceof GoObject) return value.type;
  return isMap(value) ? "map[string]interface {}" : kindOf(value);
};

/** Returns whether `if` takes a value for true: whatever is not empty. */
export const isTrue = (value: unknown): boolean => {
  if (value === undefined || value === null) return false;
  if (typeof value === "string") return value !== "";
  if (typeof value === "boolean") return value;
  if (isInteger(value) || isFloat(value)) return toNumber(value) !== 0;
  if (isList(value)) return value.length > 0;
  if (value instanceof GoObject) return true;
  for (const key in value) if (Object.hasOwn(value, key)) return true;
  return false;
};

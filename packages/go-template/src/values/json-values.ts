import { GoObject } from "./go-object.ts";
import { isList, isMap } from "./kinds.ts";
import { float, isFloat, toNumber } from "./numbers.ts";

/** A value of JSON as Go decodes it: numbers are floats. */
export const fromJsonValue = (value: unknown): unknown => {
  if (typeof value === "number" || typeof value === "bigint") return float(Number(value));
  if (isList(value)) return value.map(fromJsonValue);
  return isMap(value) ? Object.fromEntries(Object.entries(value).map(([key, of]) => [key, fromJsonValue(of)])) : value;
};

/** A value of a template as JSON has it. */
export const toJsonValue = (value: unknown): unknown => {
  if (isFloat(value)) return toNumber(value);
  if (value instanceof GoObject) return JSON.parse(value.json) as unknown;
  if (isList(value)) return value.map(toJsonValue);
  return isMap(value) ? Object.fromEntries(Object.entries(value).map(([key, of]) => [key, toJsonValue(of)])) : value;
};

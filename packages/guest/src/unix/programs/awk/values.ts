import { formatted } from "../../format.ts";

/** A text that looks like a number is one where it comes from outside. */
export type Value = number | string | { readonly input: string };

const looksNumeric = (text: string): boolean => /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*$/.test(text);

const plain = (value: Value): string | number => (typeof value === "object" ? value.input : value);

/** A value as a number: of a text, the number that it begins with, or 0. */
export const numberOf = (value: Value): number => {
  const given = plain(value);
  return typeof given === "number"
    ? given
    : Number(/^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/.exec(given)?.[0] ?? 0);
};

/** A value as a text; numbers that are not whole by the format. */
export const textOf = (value: Value, format: string): string => {
  const given = plain(value);
  if (typeof given === "string") return given;
  return Number.isInteger(given) ? String(given) : formatted(format, [String(given)]);
};

/** Returns whether a condition holds: neither 0 nor an empty text. */
export const isTrue = (value: Value): boolean => {
  if (typeof value === "number") return value !== 0;
  if (typeof value === "string") return value !== "";
  return looksNumeric(value.input) ? Number(value.input) !== 0 : value.input !== "";
};

const isNumeric = (value: Value): boolean =>
  typeof value === "number" || (typeof value === "object" && (value.input === "" || looksNumeric(value.input)));

const isUnset = (value: Value): boolean => typeof value === "object" && value.input === "";

/** Compares two values as numbers where both look like one, otherwise as texts in the format. */
export const compared = (one: Value, other: Value, operator: string, format: string): boolean => {
  const areNumbers = isNumeric(one) && isNumeric(other) && !(isUnset(one) && isUnset(other));
  const [left, right] = areNumbers ? [numberOf(one), numberOf(other)] : [textOf(one, format), textOf(other, format)];
  const order = left < right ? -1 : Number(left > right);
  const holds: Readonly<Record<string, boolean>> = {
    "<": order < 0,
    "<=": order <= 0,
    "==": order === 0,
    "!=": order !== 0,
    ">": order > 0,
    ">=": order >= 0,
  };
  return holds[operator] ?? false;
};

/** The result of an operator of arithmetic. Throws for a division by zero. */
export const calculated = (operator: string, left: number, right: number): number => {
  if ((operator === "/" || operator === "%") && right === 0) {
    throw new Error(`division by zero${operator === "%" ? " in %" : ""}`);
  }
  const results: Readonly<Record<string, number>> = {
    "+": left + right,
    "-": left - right,
    "*": left * right,
    "/": left / right,
    "%": left % right,
    "^": left ** right,
    "**": left ** right,
  };
  return results[operator] ?? 0;
};

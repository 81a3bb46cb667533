import { isList } from "../values/kinds.ts";
import { float, int64, isFloat, isInteger, toNumber } from "../values/numbers.ts";
import { show } from "../values/show.ts";

/** Any value as a text. */
export const textOf = (value: unknown): string => show(value);

/** A list of texts of any value, without what is nil. */
export const textsOf = (value: unknown): readonly string[] => {
  if (!isList(value)) return value === undefined || value === null ? [] : [textOf(value)];
  return value.filter((item) => item !== undefined && item !== null).map(textOf);
};

const integerText = /^[+-]?(?:0|[1-9][\d_]*|0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO]?[0-7_]+)$/;

/** An integer of a Go program, in any base; 0 for what is none. */
const parsed = (text: string): bigint => {
  // None of 64 bits has so many digits, and making one of very many takes long.
  if (text.length > 200 || !integerText.test(text) || /__|_$/.test(text)) return 0n;
  const digits = text
    .replace(/^[+-]/, "")
    .replaceAll("_", "")
    .replace(/^0(?=\d)/, "0o");
  const value = BigInt(digits) * (text.startsWith("-") ? -1n : 1n);
  return BigInt.asIntN(64, value) === value ? value : 0n;
};

/** Any value as an integer of 64 bits; 0 for what is none. */
export const bigOf = (value: unknown): bigint => {
  if (isInteger(value)) return BigInt(value);
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (isFloat(value)) return Number.isFinite(toNumber(value)) ? BigInt(Math.trunc(toNumber(value))) : 0n;
  return typeof value === "string" ? parsed(value.replace(/\.0*$/, "")) : 0n;
};

export const integerOf = (value: unknown): number | bigint => int64(bigOf(value));

/** Any value as a float; 0 for what is none. */
export const numberOf = (value: unknown): number => {
  if (isInteger(value) || isFloat(value)) return toNumber(value);
  if (typeof value === "boolean") return Number(value);
  if (typeof value !== "string" || value.trim() === "") return 0;
  return Number.isNaN(Number(value)) ? 0 : Number(value);
};

export const floatOf = (value: unknown): unknown => float(numberOf(value));

/** The items of a list; `what` is the function, for the message when it is none. */
export const itemsOf = (value: unknown, what: string): readonly unknown[] => {
  if (isList(value)) return value;
  throw new Error(`Cannot ${what} on type ${value === undefined || value === null ? "nil" : textOf(typeof value)}`);
};

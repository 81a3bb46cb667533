import { dyn, list, string } from "../types/cel-type.ts";
import { Duration, formatDuration, formatTimestamp, Timestamp } from "../values/time.ts";
import { Failure } from "../values/failure.ts";
import { CelList, CelMap, TypeValue, Uint } from "../values/value.ts";
import type { Value } from "../values/value.ts";
import { method, requireSize, traversal, typeNameOf } from "./overload.ts";
import type { Overload } from "./overload.ts";
import { decodeUtf8 } from "./text.ts";

/** The most decimals a clause may ask for. */
const maxPrecision = 1000;

const special = (value: number): string | undefined => {
  if (Number.isNaN(value)) return "NaN";
  return Number.isFinite(value) ? undefined : value > 0 ? "Infinity" : "-Infinity";
};

const wrongType = (clause: string, value: Value, wanted: string): Failure =>
  new Failure(
    `error during formatting: ${clause} clause can only be used on ${wanted}, was given ${typeNameOf(value)}`,
  );

/** The shortest decimal notation that reads back the same, without an exponent. */
const shortestDecimal = (value: number): string => {
  const [digits, exponentText] = value.toExponential().split("e");
  const decimals = digits!.replace(/[^\d]/g, "").length - 1 - Number(exponentText);
  return decimals > 100 ? value.toFixed(100) : decimals <= 0 ? BigInt(value).toString() : value.toFixed(decimals);
};

const formatString = (value: Value): string => {
  if (value === null) return "null";
  if (typeof value === "string") return value;
  if (typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (value instanceof Uint) return String(value.value);
  if (typeof value === "number") return special(value) ?? shortestDecimal(value);
  if (value instanceof Uint8Array) return decodeUtf8(value) ?? new TextDecoder().decode(value);
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatDuration(value);
  if (value instanceof TypeValue) return value.name;
  if (value instanceof CelList) return `[${[...value].map(formatString).join(", ")}]`;
  if (value instanceof CelMap) {
    const entries = [...value.keys()].map((key) => `${formatString(key)}: ${formatString(value.get(key) as Value)}`);
    return `{${entries.sort().join(", ")}}`;
  }
  throw wrongType(
    "string",
    value,
    "strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps",
  );
};

const integer = (value: Value): bigint | undefined =>
  typeof value === "bigint" ? value : value instanceof Uint ? value.value : undefined;

const formatDecimal = (value: Value): string => {
  const whole = integer(value);
  if (whole !== undefined) return String(whole);
  if (typeof value === "number") {
    const text = special(value);
    if (text !== undefined) return text;
    return shortestDecimal(value);
  }
  throw wrongType("decimal", value, "integers");
};

const formatRadix =
  (radix: 2 | 8, name: string) =>
  (value: Value): string => {
    const whole = radix === 2 && typeof value === "boolean" ? BigInt(value) : integer(value);
    if (whole === undefined) throw wrongType(name, value, radix === 2 ? "integers and bools" : "integers");
    return whole.toString(radix);
  };

const formatHex =
  (upper: boolean) =>
  (value: Value): string => {
    const text = hexOf(value);
    return upper ? text.toUpperCase() : text;
  };

const hexOf = (value: Value): string => {
  const whole = integer(value);
  if (whole !== undefined) return whole.toString(16);
  if (typeof value === "string") return Buffer.from(value).toString("hex");
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  throw wrongType("hex", value, "integers, byte buffers, and strings");
};

const asDouble = (value: Value, clause: string): number => {
  if (typeof value === "number") return value;
  const whole = integer(value);
  if (whole === undefined) throw wrongType(clause, value, "doubles");
  return Number(whole);
};

/** JavaScript's `toFixed` and `toExponential` know at most 100 decimals. */
const padDecimals = (text: string, missing: number): string => text + "0".repeat(Math.max(0, missing));

const formatFixed = (value: Value, precision = 6): string => {
  const number = asDouble(value, "fixed-point");
  return special(number) ?? padDecimals(fixed(number, Math.min(precision, 100)), precision - 100);
};

/** Halves are rounded to the even digit; `toFixed` rounds them up, and switches to an exponent at 1e21. */
const fixed = (number: number, precision: number): string => {
  if (Math.abs(number) < 1e21) {
    const rounded = number.toFixed(precision);
    const isHalf = precision < 99 && /^50*$/.test(number.toFixed(100).slice(precision - 100));
    const isOdd = /[13579]$/.test(rounded);
    return isHalf && isOdd ? (number - Math.sign(number) * 10 ** -precision * 0.5).toFixed(precision) : rounded;
  }
  return precision === 0 ? String(BigInt(number)) : `${BigInt(number)}.${"0".repeat(precision)}`;
};

const formatScientific = (value: Value, precision = 6): string => {
  const number = asDouble(value, "scientific");
  const text = special(number);
  if (text !== undefined) return text;
  const [digits, exponent] = number.toExponential(Math.min(precision, 100)).split("e");
  const magnitude = exponent!.slice(1).padStart(2, "0");
  return `${padDecimals(digits!, precision - 100)}e${exponent![0]}${magnitude}`;
};

const clauses: Readonly<Record<string, (value: Value, precision?: number) => string>> = {
  s: formatString,
  d: formatDecimal,
  f: formatFixed,
  e: formatScientific,
  b: formatRadix(2, "binary"),
  o: formatRadix(8, "octal"),
  x: formatHex(false),
  X: formatHex(true),
};

const clausePattern = /%(?:(%)|(?:\.(\d+))?([a-zA-Z])|)/g;

const format = (template: string, args: CelList): string => {
  let next = 0;
  let size = 0;
  const text = template.replace(
    clausePattern,
    (clause: string, percent?: string, precision?: string, verb?: string) => {
      if (percent !== undefined) return "%";
      const formatter = verb === undefined ? undefined : clauses[verb];
      if (formatter === undefined) {
        throw new Failure(`could not parse formatting clause: unrecognized formatting clause "${clause}"`);
      }
      if (next >= args.size) throw new Failure(`index ${next} out of range`);
      const decimals = precision === undefined ? undefined : Number(precision);
      if (decimals !== undefined && decimals > maxPrecision) {
        throw new Failure(`precision may be at most ${maxPrecision}`);
      }
      const part = formatter(args.get(next++), decimals);
      requireSize((size += part.length));
      return part;
    },
  );
  if (next < args.size) throw new Failure("too many arguments supplied to string.format");
  return text;
};

export const stringFormat: readonly Overload[] = [
  method(string, "format", [list(dyn)], string, format, { cost: traversal(0, 2), estimate: traversal() }),
];

import {
  bool,
  bytes,
  double,
  duration,
  dyn,
  int,
  list,
  map,
  parameter,
  string,
  timestamp,
  typeOf,
  uint,
} from "../types/cel-type.ts";
import {
  Duration,
  floorDivide,
  formatDuration,
  formatTimestamp,
  parseDuration,
  parseTimestamp,
  Timestamp,
} from "../values/time.ts";
import { Failure } from "../values/failure.ts";
import { TypeValue } from "../values/value.ts";
import type { Uint, Value } from "../values/value.ts";
import { checkedInt, checkedUint } from "./arithmetic.ts";
import { fn, method, sizeOf, sizeOfArgument, traversal, typeNameOf } from "./overload.ts";
import type { Overload, OverloadOptions } from "./overload.ts";
import { codePointCount, decodeUtf8, formatDouble } from "./text.ts";

const A = parameter("A");
const B = parameter("B");
const nanosPerSecond = 1_000_000_000n;

const doubleToInt = (value: number): bigint => {
  if (!Number.isFinite(value) || value <= -(2 ** 63) || value >= 2 ** 63) throw new Failure("integer overflow");
  return BigInt(Math.trunc(value));
};

const doubleToUint = (value: number): Uint => {
  if (!(value >= 0) || value >= 2 ** 64) throw new Failure("unsigned integer overflow");
  return checkedUint(BigInt(Math.trunc(value)));
};

/** More digits than any integer of 64 bits has: to read millions of them takes seconds. */
const mostDigits = 20;

/** Parses digits. Too many of them give an integer that is too large. */
const integerOf = (text: string): bigint => {
  const digits = text.replace(/^[+-]?0*(?=\d)/, "");
  const value = digits.length > mostDigits ? 2n ** 64n : BigInt(digits);
  return text.startsWith("-") ? -value : value;
};

const textToInt = (text: string): bigint => {
  if (!/^[+-]?\d+$/.test(text)) throw new Failure(`cannot convert '${text}' to int`);
  return checkedInt(integerOf(text));
};

const textToUint = (text: string): Uint => {
  if (!/^\d+$/.test(text)) throw new Failure(`cannot convert '${text}' to uint`);
  return checkedUint(integerOf(text));
};

const textToDouble = (text: string): number => {
  if (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return Number(text);
  if (/^nan$/i.test(text)) return NaN;
  if (/^[+-]?inf(?:inity)?$/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  throw new Failure(`cannot convert '${text}' to double`);
};

const boolWords = new Map([
  ...["1", "t", "true", "T", "TRUE", "True"].map((word) => [word, true] as const),
  ...["0", "f", "false", "F", "FALSE", "False"].map((word) => [word, false] as const),
]);

const textToBool = (text: string): boolean => {
  const value = boolWords.get(text);
  if (value === undefined) throw new Failure(`cannot convert '${text}' to bool`);
  return value;
};

const bytesToText = (value: Uint8Array): string => {
  const text = decodeUtf8(value);
  if (text === undefined) throw new Failure("invalid UTF-8 in bytes, cannot convert to string");
  return text;
};

const toTimestamp = (text: string): Timestamp => {
  const time = parseTimestamp(text);
  if (time === undefined) throw new Failure(`cannot convert '${text}' to timestamp`);
  return time;
};

const toDuration = (text: string): Duration => {
  const span = parseDuration(text);
  if (span === undefined) throw new Failure(`cannot convert '${text}' to duration`);
  return span;
};

/** All characters of a text are looked at, for which Kubernetes asks nothing. */
const reading: OverloadOptions = { work: ([text]) => 1 + Math.ceil(0.01 * sizeOf(text!)) };

/** A literal that cannot be converted is a mistake in the expression. */
const constant = (convert: (text: string) => Value): OverloadOptions => ({
  ...reading,
  prepare: ([text]) => {
    if (typeof text !== "string") return undefined;
    const value = convert(text);
    return () => value;
  },
});

const numbers: readonly Overload[] = [
  fn("int", [int], int, (value) => value),
  fn("int", [uint], int, (value) => checkedInt(value.value)),
  fn("int", [double], int, doubleToInt),
  fn("int", [string], int, textToInt, reading),
  fn("int", [timestamp], int, (time) => floorDivide(time.nanos, nanosPerSecond)),
  fn("int", [duration], int, (span) => span.nanos),
  fn("uint", [uint], uint, (value) => value),
  fn("uint", [int], uint, (value) => checkedUint(value)),
  fn("uint", [double], uint, doubleToUint),
  fn("uint", [string], uint, textToUint, reading),
  fn("double", [double], double, (value) => value),
  fn("double", [int], double, Number),
  fn("double", [uint], double, (value) => Number(value.value)),
  fn("double", [string], double, textToDouble, reading),
];

const texts: readonly Overload[] = [
  fn("string", [string], string, (value) => value, { resultSize: sizeOfArgument() }),
  fn("string", [bool], string, String),
  fn("string", [int], string, String),
  fn("string", [uint], string, (value) => String(value.value)),
  fn("string", [double], string, formatDouble),
  fn("string", [bytes], string, bytesToText, { cost: traversal(), resultSize: sizeOfArgument() }),
  fn("string", [timestamp], string, formatTimestamp),
  fn("string", [duration], string, formatDuration),
  fn("bytes", [bytes], bytes, (value) => value, { resultSize: sizeOfArgument() }),
  fn("bytes", [string], bytes, (value) => new TextEncoder().encode(value), {
    cost: traversal(),
    resultSize: (sizes) => sizes[0]! * 4,
  }),
];

/** The members of a map are counted one by one. */
const counting: OverloadOptions = { work: ([value]) => 1 + Math.ceil(0.3 * sizeOf(value!)) };

/** `size` is both a function and a method. */
const sizes: readonly Overload[] = [
  fn("size", [string], int, (value) => BigInt(codePointCount(value)), reading),
  fn("size", [bytes], int, (value) => BigInt(value.length)),
  fn("size", [list(A)], int, (value) => BigInt(value.size)),
  fn("size", [map(A, B)], int, (value) => BigInt(value.size), counting),
  method(string, "size", [], int, (value) => BigInt(codePointCount(value))),
  method(bytes, "size", [], int, (value) => BigInt(value.length)),
  method(list(A), "size", [], int, (value) => BigInt(value.size)),
  method(map(A, B), "size", [], int, (value) => BigInt(value.size)),
];

export const conversions: readonly Overload[] = [
  ...numbers,
  ...texts,
  ...sizes,
  fn("bool", [bool], bool, (value) => value),
  fn("bool", [string], bool, textToBool),
  fn("timestamp", [timestamp], timestamp, (value) => value),
  fn("timestamp", [string], timestamp, toTimestamp, constant(toTimestamp)),
  fn("timestamp", [int], timestamp, (seconds) => new Timestamp(seconds * nanosPerSecond)),
  fn("duration", [duration], duration, (value) => value),
  fn("duration", [string], duration, toDuration, constant(toDuration)),
  fn("duration", [int], duration, (nanos) => new Duration(nanos)),
  fn("dyn", [A], dyn, (value) => value, { resultSize: sizeOfArgument() }),
  fn("type", [A], typeOf(A), (value) => new TypeValue(typeNameOf(value))),
];

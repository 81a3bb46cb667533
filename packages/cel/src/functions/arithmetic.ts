import { bytes, double, duration, int, list, parameter, string, timestamp, uint, bool } from "../types/cel-type.ts";
import { concatenate } from "../values/equality.ts";
import { Duration, Timestamp } from "../values/time.ts";
import { Failure } from "../values/failure.ts";
import { Uint, ValueList } from "../values/value.ts";
import { fn, requireSize, sizeOf } from "./overload.ts";
import type { Overload } from "./overload.ts";

const largestInt = 9_223_372_036_854_775_807n;
const largestUint = 18_446_744_073_709_551_615n;

/** The value if it is in int's range; otherwise a `Failure`. */
export const checkedInt = (value: bigint): bigint => {
  if (value > largestInt || value < -largestInt - 1n) throw new Failure("integer overflow");
  return value;
};

/** As `checkedInt`, for uint. */
export const checkedUint = (value: bigint): Uint => {
  if (value < 0n || value > largestUint) throw new Failure("unsigned integer overflow");
  return new Uint(value);
};

const nonZero = (divisor: bigint, message: string): bigint => {
  if (divisor === 0n) throw new Failure(message);
  return divisor;
};

const A = parameter("A");

/** Concatenation costs, and produces, the sum of both sizes. */
const joined = {
  cost: (sizes: readonly number[]) => Math.max(1, Math.ceil((sizes[0]! + sizes[1]!) * 0.1)),
  resultSize: (sizes: readonly number[]) => sizes[0]! + sizes[1]!,
};

const joinBytes = (left: Uint8Array, right: Uint8Array): Uint8Array => {
  const result = new Uint8Array(left.length + right.length);
  result.set(left);
  result.set(right, left.length);
  return result;
};

const joinStrings = (left: string, right: string): string => {
  requireSize(left.length + right.length);
  return left + right;
};

const addition: readonly Overload[] = [
  fn("_+_", [int, int], int, (left, right) => checkedInt(left + right)),
  fn("_+_", [uint, uint], uint, (left, right) => checkedUint(left.value + right.value)),
  fn("_+_", [double, double], double, (left, right) => left + right),
  fn("_+_", [string, string], string, joinStrings, joined),
  fn("_+_", [bytes, bytes], bytes, joinBytes, joined),
  fn("_+_", [list(A), list(A)], list(A), (left, right) => new ValueList(concatenate(left, right), left.identity), {
    ...joined,
    work: ([left, right]) => 1 + Math.ceil(0.3 * (sizeOf(left!) + sizeOf(right!))),
    estimate: () => 1,
  }),
  fn("_+_", [duration, duration], duration, (left, right) => new Duration(left.nanos + right.nanos)),
  fn("_+_", [timestamp, duration], timestamp, (time, span) => new Timestamp(time.nanos + span.nanos)),
  fn("_+_", [duration, timestamp], timestamp, (span, time) => new Timestamp(time.nanos + span.nanos)),
];

const subtraction: readonly Overload[] = [
  fn("_-_", [int, int], int, (left, right) => checkedInt(left - right)),
  fn("_-_", [uint, uint], uint, (left, right) => checkedUint(left.value - right.value)),
  fn("_-_", [double, double], double, (left, right) => left - right),
  fn("_-_", [duration, duration], duration, (left, right) => new Duration(left.nanos - right.nanos)),
  fn("_-_", [timestamp, timestamp], duration, (left, right) => new Duration(left.nanos - right.nanos)),
  fn("_-_", [timestamp, duration], timestamp, (time, span) => new Timestamp(time.nanos - span.nanos)),
];

const division: readonly Overload[] = [
  fn("_/_", [int, int], int, (left, right) => checkedInt(left / nonZero(right, "division by zero"))),
  fn("_/_", [uint, uint], uint, (left, right) => new Uint(left.value / nonZero(right.value, "division by zero"))),
  fn("_/_", [double, double], double, (left, right) => left / right),
  fn("_%_", [int, int], int, (left, right) => left % nonZero(right, "modulus by zero")),
  fn("_%_", [uint, uint], uint, (left, right) => new Uint(left.value % nonZero(right.value, "modulus by zero"))),
];

export const arithmetic: readonly Overload[] = [
  ...addition,
  ...subtraction,
  fn("_*_", [int, int], int, (left, right) => checkedInt(left * right)),
  fn("_*_", [uint, uint], uint, (left, right) => checkedUint(left.value * right.value)),
  fn("_*_", [double, double], double, (left, right) => left * right),
  ...division,
  fn("-_", [int], int, (value) => checkedInt(-value)),
  fn("-_", [double], double, (value) => -value),
  fn("!_", [bool], bool, (value) => !value),
];

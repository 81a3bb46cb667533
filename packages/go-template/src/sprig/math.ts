import { longestList } from "../execute/limits.ts";
import { costing, define, defineRest, type TemplateFunctions } from "../functions/define.ts";
import { float, int64 } from "../values/numbers.ts";
import { show } from "../values/show.ts";
import { bigOf, floatOf, integerOf, numberOf } from "./convert.ts";

const divided = (a: unknown, b: unknown, by: (x: bigint, y: bigint) => bigint): number | bigint => {
  const divisor = bigOf(b);
  if (divisor === 0n) throw new Error("runtime error: integer divide by zero");
  return int64(by(bigOf(a), divisor));
};

const stepped = (start: number, stop: number, step: number): readonly number[] => {
  if (step === 0 || stop < start === step > 0) return [];
  const count = Math.ceil((stop - start) / step);
  if (count > longestList) throw new Error("the result is too large");
  return Array.from({ length: Math.max(0, count) }, (_, index) => start + index * step);
};

const sequence = (...values: readonly number[]): string => {
  const [first, second, third] = values;
  if (first === undefined || values.length > 3) return "";
  const [start, step, end] =
    third !== undefined
      ? [first, second!, third]
      : second !== undefined
        ? [first, undefined, second]
        : [1, undefined, first];
  const direction = end < start ? -1 : 1;
  if (step !== undefined && end < start && step > 0) return "";
  return stepped(start, end + direction, step ?? direction).join(" ");
};

const rounded = (value: unknown, places: number, roundOn = 0.5): unknown => {
  const power = 10 ** places;
  const digits = power * numberOf(value);
  const fraction = digits - Math.trunc(digits);
  return float((fraction >= roundOn ? Math.ceil(digits) : Math.floor(digits)) / power);
};

/** A decimal number as digits and how many of them stand behind the point. */
const decimalOf = (value: unknown): readonly [digits: bigint, scale: number] => {
  const [mantissa = "0", exponent = "0"] = numberOf(value).toExponential().split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return scale < 0 ? [digits * 10n ** BigInt(-scale), 0] : [digits, scale];
};

type Decimal = readonly [digits: bigint, scale: number];

const aligned = ([a, left]: Decimal, [b, right]: Decimal): readonly [bigint, bigint, number] => {
  const scale = Math.max(left, right);
  return [a * 10n ** BigInt(scale - left), b * 10n ** BigInt(scale - right), scale];
};

const numberFrom = ([digits, scale]: Decimal): number => Number(`${digits}e-${scale}`);

/** Calculates in decimals, so that 0.1 and 0.2 are 0.3. */
const calculated = (first: unknown, others: readonly unknown[], by: (a: Decimal, b: Decimal) => Decimal): unknown =>
  float(numberFrom(others.map(decimalOf).reduce(by, decimalOf(first))));

const add = (a: Decimal, b: Decimal): Decimal => {
  const [x, y, scale] = aligned(a, b);
  return [x + y, scale];
};

const subtract = (a: Decimal, [digits, scale]: Decimal): Decimal => add(a, [-digits, scale]);

const divide = (a: Decimal, b: Decimal): Decimal => {
  const [x, y] = aligned(a, b);
  if (y === 0n) throw new Error("decimal division by 0");
  // Sixteen places, rounded half away from zero.
  const scaled = (x * 10n ** 17n) / y;
  return [(scaled + (scaled < 0n ? -5n : 5n)) / 10n, 16];
};

const extreme = (values: readonly unknown[], better: (a: bigint, b: bigint) => boolean): number | bigint =>
  int64(values.map(bigOf).reduce((best, value) => (better(value, best) ? value : best)));

const largest = defineRest(["any"], "any", (...values) => extreme(values, (a, b) => a > b));

/** Numbers are exact, and may become longer with every one. */
const exactly = (values: readonly unknown[]): number => 4 * values.length ** 2;

/** Functions that calculate: integers of 64 bits, floats, sequences. */
export const mathFunctions: TemplateFunctions = {
  add: costing(
    exactly,
    defineRest([], "any", (...values) => int64(values.reduce((sum: bigint, value) => sum + bigOf(value), 0n))),
  ),
  add1: define(["any"], (value) => int64(bigOf(value) + 1n)),
  add1f: define(["any"], (value) => calculated(value, [1], add)),
  addf: costing(
    exactly,
    defineRest([], "any", (...values) => calculated(0, values, add)),
  ),
  atoi: define(["string"], (text) => (/^[+-]?\d{1,200}$/.test(text) ? int64(BigInt(text.replace("+", ""))) : 0)),
  biggest: largest,
  ceil: define(["any"], (value) => float(Math.ceil(numberOf(value)))),
  div: define(["any", "any"], (a, b) => divided(a, b, (x, y) => x / y)),
  divf: costing(
    exactly,
    defineRest(["any"], "any", (value, ...others) => calculated(value, others, divide)),
  ),
  float64: define(["any"], floatOf),
  floor: define(["any"], (value) => float(Math.floor(numberOf(value)))),
  int: define(["any"], integerOf),
  int64: define(["any"], integerOf),
  max: largest,
  maxf: defineRest(["any"], "any", (...values) => float(Math.max(...values.map(numberOf)))),
  min: defineRest(["any"], "any", (...values) => extreme(values, (a, b) => a < b)),
  minf: defineRest(["any"], "any", (...values) => float(Math.min(...values.map(numberOf)))),
  mod: define(["any", "any"], (a, b) => divided(a, b, (x, y) => x % y)),
  mul: costing(
    exactly,
    defineRest(["any"], "any", (...values) => int64(values.reduce((all: bigint, value) => all * bigOf(value), 1n))),
  ),
  mulf: costing(
    exactly,
    defineRest(["any"], "any", (value, ...others) =>
      calculated(value, others, ([a, left], [b, right]) => [a * b, left + right]),
    ),
  ),
  round: defineRest(["any", "int"], "float", (value, places, on) => rounded(value, places, on)),
  seq: defineRest([], "int", sequence),
  sub: define(["any", "any"], (a, b) => int64(bigOf(a) - bigOf(b))),
  subf: costing(
    exactly,
    defineRest(["any"], "any", (value, ...others) => calculated(value, others, subtract)),
  ),
  toDecimal: define(["any"], (value) => {
    const text = show(value);
    return /^[+-]?[0-7]{1,200}$/.test(text)
      ? int64(BigInt(`0o${text.replace(/^[+-]/, "")}`) * (text.startsWith("-") ? -1n : 1n))
      : 0;
  }),
  until: define(["int"], (count) => stepped(0, count, count < 0 ? -1 : 1)),
  untilStep: define(["int", "int", "int"], stepped),
};

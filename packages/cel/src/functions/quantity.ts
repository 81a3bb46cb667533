import { bool, double, int, opaque, string } from "../types/cel-type.ts";
import { Failure } from "../values/failure.ts";
import { Opaque } from "../values/value.ts";
import { fn, method, traversal } from "./overload.ts";
import type { Overload } from "./overload.ts";

/** A Kubernetes quantity, exact to a billionth. */
class Quantity extends Opaque {
  readonly typeName = "kubernetes.Quantity";
  /** Billionths. */
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    super();
    this.nanos = nanos;
  }

  equals(other: Opaque): boolean {
    return other instanceof Quantity && other.nanos === this.nanos;
  }
}

const quantityType = opaque<Quantity>("kubernetes.Quantity");
const one = 1_000_000_000n;
const largestInt = 9_223_372_036_854_775_807n;

const pattern = /^([+-]?)(\d+\.?\d*|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/;
const decimalExponent: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const binaryExponent: Readonly<Record<string, bigint>> = { Ki: 10n, Mi: 20n, Gi: 30n, Ti: 40n, Pi: 50n, Ei: 60n };
const maxExponent = 400;

/** Divides, rounding away from zero: quantities finer than a billionth are rounded up. */
const divideUp = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor;

const parseQuantity = (text: string): Quantity | undefined => {
  const found = pattern.exec(text);
  if (found === null || text.length > 1000) return undefined;
  const [, sign, number, suffix = ""] = found;
  const [whole = "", fraction = ""] = number!.split(".");
  const binary = binaryExponent[suffix];
  const exponent = /^[eE]./.test(suffix) ? Number(suffix.slice(1)) : (decimalExponent[suffix] ?? 0);
  if (Math.abs(exponent) > maxExponent) return undefined;
  const digits = BigInt(whole + fraction) * (binary === undefined ? 1n : 1n << binary);
  const scale = 9 + exponent - fraction.length;
  const magnitude = scale >= 0 ? digits * 10n ** BigInt(scale) : divideUp(digits, 10n ** BigInt(-scale));
  return new Quantity(sign === "-" ? -magnitude : magnitude);
};

const toQuantity = (text: string): Quantity => {
  const quantity = parseQuantity(text);
  if (quantity === undefined) throw new Failure(`quantity parse error: '${text}' is not a quantity`);
  return quantity;
};

const isInteger = ({ nanos }: Quantity): boolean =>
  nanos % one === 0n && nanos / one <= largestInt && nanos / one >= -largestInt - 1n;

const asInteger = (quantity: Quantity): bigint => {
  if (!isInteger(quantity)) throw new Failure("cannot convert value to integer");
  return quantity.nanos / one;
};

const compare = (left: Quantity, right: Quantity): bigint =>
  left.nanos < right.nanos ? -1n : left.nanos > right.nanos ? 1n : 0n;

/** The Kubernetes quantity library. */
export const quantityFunctions: readonly Overload[] = [
  fn("quantity", [string], quantityType, toQuantity, { cost: traversal() }),
  fn("isQuantity", [string], bool, (text) => parseQuantity(text) !== undefined, { cost: traversal() }),
  method(quantityType, "sign", [], int, ({ nanos }) => (nanos > 0n ? 1n : nanos < 0n ? -1n : 0n)),
  method(quantityType, "isInteger", [], bool, isInteger),
  method(quantityType, "asInteger", [], int, asInteger),
  method(quantityType, "asApproximateFloat", [], double, ({ nanos }) => Number(nanos) / 1e9),
  method(quantityType, "add", [quantityType], quantityType, (left, right) => new Quantity(left.nanos + right.nanos)),
  method(quantityType, "add", [int], quantityType, (left, right) => new Quantity(left.nanos + right * one)),
  method(quantityType, "sub", [quantityType], quantityType, (left, right) => new Quantity(left.nanos - right.nanos)),
  method(quantityType, "sub", [int], quantityType, (left, right) => new Quantity(left.nanos - right * one)),
  method(quantityType, "isGreaterThan", [quantityType], bool, (left, right) => left.nanos > right.nanos),
  method(quantityType, "isLessThan", [quantityType], bool, (left, right) => left.nanos < right.nanos),
  method(quantityType, "compareTo", [quantityType], int, compare),
];

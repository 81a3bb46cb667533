import { numberOfQuantity, parseQuantity } from "@capstan/kube-values";
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

const toQuantity = (text: string): Quantity => {
  const quantity = parseQuantity(text);
  if (quantity === undefined) throw new Failure(`quantity parse error: '${text}' is not a quantity`);
  return new Quantity(quantity.nanos);
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
  method(quantityType, "asApproximateFloat", [], double, numberOfQuantity),
  method(quantityType, "add", [quantityType], quantityType, (left, right) => new Quantity(left.nanos + right.nanos)),
  method(quantityType, "add", [int], quantityType, (left, right) => new Quantity(left.nanos + right * one)),
  method(quantityType, "sub", [quantityType], quantityType, (left, right) => new Quantity(left.nanos - right.nanos)),
  method(quantityType, "sub", [int], quantityType, (left, right) => new Quantity(left.nanos - right * one)),
  method(quantityType, "isGreaterThan", [quantityType], bool, (left, right) => left.nanos > right.nanos),
  method(quantityType, "isLessThan", [quantityType], bool, (left, right) => left.nanos < right.nanos),
  method(quantityType, "compareTo", [quantityType], int, compare),
];

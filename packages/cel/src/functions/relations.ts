import type { CelType } from "../types/cel-type.ts";
import {
  bool,
  bytes,
  double,
  duration,
  int,
  list,
  map,
  parameter,
  string,
  timestamp,
  uint,
} from "../types/cel-type.ts";
import { compare, equals, listContains } from "../values/equality.ts";
import { Failure, noSuchOverload } from "../values/failure.ts";
import { Optional, Uint } from "../values/value.ts";
import { CelList, CelMap } from "../values/value.ts";
import type { Value } from "../values/value.ts";
import { fn } from "./overload.ts";
import type { Overload } from "./overload.ts";

const A = parameter("A");
const B = parameter("B");

/** Walking both operands until the shorter one ends. */
const cost = (sizes: readonly number[]): number => Math.max(1, Math.ceil(Math.min(sizes[0]!, sizes[1]!) * 0.1));

/** Nothing is counted for what has no size: declared numbers, booleans and objects. */
const estimate = (sizes: readonly number[]): number => Math.ceil(Math.min(sizes[0]!, sizes[1]!) * 0.1);

/** Everything else is compared in one step. */
const isSized = ({ kind }: CelType): boolean => kind === "string" || kind === "bytes";

const numbers = [int, uint, double];
const comparable: readonly (readonly [CelType, CelType])[] = [
  ...[bool, string, bytes, timestamp, duration].map((type) => [type, type] as const),
  ...numbers.flatMap((left) => numbers.map((right) => [left, right] as const)),
];

const tests: Readonly<Record<string, (order: number) => boolean>> = {
  "_<_": (order) => order < 0,
  "_<=_": (order) => order <= 0,
  "_>_": (order) => order > 0,
  "_>=_": (order) => order >= 0,
};

const orders: readonly Overload[] = Object.entries(tests).flatMap(([name, test]) =>
  comparable.map(([left, right]) =>
    fn(name, [left, right], bool, (a, b) => test(compare(a as Value, b as Value)), isSized(left) ? { cost } : {}),
  ),
);

const asIndex = (key: Value): number | undefined => {
  if (typeof key === "bigint") return Number(key);
  if (key instanceof Uint) return Number(key.value);
  return typeof key === "number" && Number.isInteger(key) ? key : undefined;
};

/** A key as messages print it. */
const printKey = (key: Value): string => (key instanceof Uint ? String(key.value) : String(key));

/** The element or entry, or undefined if there is none. Throws a `Failure` if the container cannot be indexed so. */
const lookUp = (container: Value, key: Value): Value | undefined => {
  if (container instanceof CelMap) return container.get(key);
  if (!(container instanceof CelList)) throw noSuchOverload();
  const index = asIndex(key);
  if (index === undefined) throw new Failure(`unsupported index type '${typeof key}' in list`);
  return index >= 0 && index < container.size ? container.get(index) : undefined;
};

/** `container[key]`; a missing entry is a `Failure`. */
export const index = (container: Value, key: Value): Value => {
  const found = lookUp(container, key);
  if (found !== undefined) return found;
  throw new Failure(
    container instanceof CelList ? `index out of bounds: ${printKey(key)}` : `no such key: ${printKey(key)}`,
  );
};

/** `container[?key]`, where the container may be an optional too. */
export const optionalIndex = (container: Value, key: Value): Optional => {
  const inner = container instanceof Optional ? container.value : container;
  if (inner === undefined) return Optional.none;
  const found = lookUp(inner, key);
  return found === undefined ? Optional.none : new Optional(found);
};

export const relations: readonly Overload[] = [
  ...orders,
  fn("_==_", [A, A], bool, (left, right) => equals(left, right), { cost, estimate }),
  fn("_!=_", [A, A], bool, (left, right) => !equals(left, right), { cost, estimate }),
  fn("@in", [A, list(A)], bool, (value, container) => listContains(container, value), {
    cost: (sizes) => Math.max(1, sizes[1]!),
  }),
  fn("@in", [A, map(A, B)], bool, (key, container) => container.has(key)),
  fn("_[_]", [list(A), int], A, index),
  fn("_[_]", [map(A, B), A], B, index),
];

import type { CelType } from "../types/cel-type.ts";
import {
  bool,
  bytes,
  double,
  duration,
  dyn,
  int,
  list,
  parameter,
  string,
  timestamp,
  uint,
} from "../types/cel-type.ts";
import { compare, equals } from "../values/equality.ts";
import { Duration } from "../values/time.ts";
import type { Value } from "../values/value.ts";
import { Failure } from "../values/failure.ts";
import { CelList, plainKey, Uint, ValueList } from "../values/value.ts";
import { checkedInt, checkedUint } from "./arithmetic.ts";
import { fn, method, requireSize, sizeOfArgument } from "./overload.ts";
import type { Overload } from "./overload.ts";

const A = parameter("A");
const each = { cost: (sizes: readonly number[]) => Math.max(1, sizes[0]!) };
/** Comparing the elements counts too when they are strings or bytes. */
const compared = {
  ...each,
  estimate: (sizes: readonly number[], elements: readonly number[]) =>
    sizes[0]! * (1 + Math.ceil((elements[0] ?? 0) * 0.1)),
};
/** Making a list, besides what fills it. */
const making = 11;
const keep = {
  ...each,
  estimate: (sizes: readonly number[]) => making + sizes[0]!,
  resultSize: sizeOfArgument(),
};
const sorting = {
  cost: (sizes: readonly number[]) => Math.max(1, Math.ceil(sizes[0]! * Math.log2(sizes[0]! + 2))),
  estimate: (sizes: readonly number[]) => making + 2 * sizes[0]! ** 2,
  resultSize: sizeOfArgument(),
};
const ordered: readonly CelType[] = [int, uint, double, bool, string, bytes, timestamp, duration];

const isSorted = (values: CelList): boolean => {
  for (let index = 1; index < values.size; index++) {
    if (!(compare(values.get(index - 1), values.get(index)) <= 0)) return false;
  }
  return true;
};

const extreme =
  (name: string, wanted: -1 | 1) =>
  (values: CelList): Value => {
    if (values.size === 0) throw new Failure(`${name} called on empty list`);
    let best = values.get(0);
    for (const value of values) if (Math.sign(compare(value, best)) === wanted) best = value;
    return best;
  };

const total =
  <T extends Value>(zero: T, add: (left: T, right: T) => T) =>
  (values: CelList): T => {
    let sum = zero;
    for (const value of values) sum = add(sum, value as T);
    return sum;
  };

const indexOf = (values: CelList, wanted: Value): bigint => {
  for (let index = 0; index < values.size; index++) if (equals(values.get(index), wanted)) return BigInt(index);
  return -1n;
};

const lastIndexOf = (values: CelList, wanted: Value): bigint => {
  for (let index = values.size - 1; index >= 0; index--) if (equals(values.get(index), wanted)) return BigInt(index);
  return -1n;
};

const slice = (values: CelList, from: bigint, to: bigint): CelList => {
  if (from < 0n || to < 0n) throw new Failure("cannot slice with a negative index");
  if (from > to) throw new Failure(`cannot slice(${from}, ${to}), start index must be less than or equal to end index`);
  if (to > BigInt(values.size)) throw new Failure(`cannot slice(${from}, ${to}), list is length ${values.size}`);
  return new ValueList([...values].slice(Number(from), Number(to)));
};

const flattenInto = (target: Value[], values: CelList, depth: number): void => {
  for (const value of values) {
    if (value instanceof CelList && depth > 0) flattenInto(target, value, depth - 1);
    else requireSize(target.push(value));
  }
};

const flatten = (values: CelList, depth: bigint): CelList => {
  if (depth < 0n) throw new Failure("level must be non-negative");
  const flat: Value[] = [];
  flattenInto(flat, values, Math.min(Number(depth), 250));
  return new ValueList(flat);
};

const range = (count: bigint): CelList => {
  requireSize(Number(count) * 10);
  return new ValueList(Array.from({ length: Math.max(0, Number(count)) }, (_, index) => BigInt(index)));
};

const distinct = (values: CelList): CelList => {
  const seen = new Set<unknown>();
  const others: Value[] = [];
  const isNew = (value: Value): boolean => {
    const key = plainKey(value);
    if (key === undefined) return !others.some((other) => equals(other, value)) && others.push(value) > 0;
    return !seen.has(key) && seen.add(key).size > 0;
  };
  return new ValueList([...values].filter(isNew));
};

const comparableKind = (value: Value): string =>
  typeof value === "object" && value !== null ? value.constructor.name : typeof value;

const sortBy = (values: CelList, keys: CelList): CelList => {
  if (values.size !== keys.size) throw new Failure("the list and its sort keys differ in length");
  const pairs = [...values].map((value, index) => ({ value, key: keys.get(index) }));
  const kind = pairs[0] === undefined ? undefined : comparableKind(pairs[0].key);
  if (pairs.some(({ key }) => comparableKind(key) !== kind)) throw new Failure("list elements must have the same type");
  if (pairs.length === 1) compare(pairs[0]!.key, pairs[0]!.key);
  return new ValueList(pairs.sort((left, right) => compare(left.key, right.key)).map(({ value }) => value));
};

const sums: readonly Overload[] = [
  method(
    list(int),
    "sum",
    [],
    int,
    total<bigint>(0n, (left, right) => checkedInt(left + right)),
    each,
  ),
  method(
    list(uint),
    "sum",
    [],
    uint,
    total(new Uint(0n), (left, right) => checkedUint(left.value + right.value)),
    each,
  ),
  method(
    list(double),
    "sum",
    [],
    double,
    total<number>(0, (left, right) => left + right),
    each,
  ),
  method(
    list(duration),
    "sum",
    [],
    duration,
    total(new Duration(0n), (left, right) => new Duration(left.nanos + right.nanos)),
    each,
  ),
];

const orderedMethods: readonly Overload[] = ordered.flatMap((type) => [
  method(list(type), "isSorted", [], bool, isSorted, compared),
  method(list(type), "min", [], type, extreme("min", -1) as (values: CelList) => never, compared),
  method(list(type), "max", [], type, extreme("max", 1) as (values: CelList) => never, compared),
  method(list(type), "sort", [], list(type), (values) => sortBy(values, values), sorting),
  method(list(A), "@sortByAssociatedKeys", [list(type)], list(A), sortBy, sorting),
]);

/** The Kubernetes list methods and version 3 of the lists extension. */
export const listFunctions: readonly Overload[] = [
  ...sums,
  ...orderedMethods,
  method(list(A), "indexOf", [A], int, indexOf, compared),
  method(list(A), "lastIndexOf", [A], int, lastIndexOf, compared),
  method(list(A), "slice", [int, int], list(A), slice, keep),
  method(list(list(A)), "flatten", [], list(A), (values) => flatten(values, 1n), {
    ...each,
    estimate: (sizes) => making + sizes[0]!,
  }),
  method(list(dyn), "flatten", [int], list(dyn), flatten, each),
  method(list(A), "distinct", [], list(A), distinct, {
    cost: (sizes) => Math.max(1, sizes[0]! ** 2),
    estimate: (sizes) => making + 2 * sizes[0]! ** 2,
    resultSize: sizeOfArgument(),
  }),
  method(list(A), "reverse", [], list(A), (values) => new ValueList([...values].toReversed()), keep),
  fn("lists.range", [int], list(int), range),
];

const isSubset = (part: CelList, whole: CelList): boolean => [...part].every((value) => indexOf(whole, value) >= 0n);
const product = {
  cost: (sizes: readonly number[]) => Math.max(1, sizes[0]! * sizes[1]!),
  estimate: (sizes: readonly number[]) => 1 + sizes[0]! * sizes[1]!,
};

/** The sets extension: lists seen as sets. */
export const setFunctions: readonly Overload[] = [
  fn("sets.contains", [list(A), list(A)], bool, (whole, part) => isSubset(part, whole), product),
  fn("sets.equivalent", [list(A), list(A)], bool, (left, right) => isSubset(left, right) && isSubset(right, left), {
    ...product,
    estimate: (sizes) => 1 + 2 * sizes[0]! * sizes[1]!,
  }),
  fn(
    "sets.intersects",
    [list(A), list(A)],
    bool,
    (left, right) => [...left].some((value) => indexOf(right, value) >= 0n),
    product,
  ),
];

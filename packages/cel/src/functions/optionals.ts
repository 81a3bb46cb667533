import { bool, list, optional, parameter } from "../types/cel-type.ts";
import { Duration, Timestamp } from "../values/time.ts";
import type { Value } from "../values/value.ts";
import { Failure } from "../values/failure.ts";
import { CelList, CelMap, Optional, Uint, ValueList } from "../values/value.ts";
import { fn, method, sizeOfArgument } from "./overload.ts";
import type { Overload } from "./overload.ts";

const A = parameter("A");

const isZero = (value: Value): boolean => {
  if (value === null || value === false || value === 0n || value === 0 || value === "") return true;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof CelList || value instanceof CelMap) return value.size === 0;
  if (value instanceof Duration || value instanceof Timestamp) return value.nanos === 0n;
  return false;
};

const valueOf = (option: Optional): Value => {
  if (option.value === undefined) throw new Failure("optional.none() dereference");
  return option.value;
};

const unwrap = (values: CelList): CelList =>
  new ValueList(
    [...values].flatMap((option) => (option instanceof Optional && option.value !== undefined ? [option.value] : [])),
  );

const at = (values: CelList, index: number): Optional =>
  values.size === 0 ? Optional.none : new Optional(values.get(index));

/** Optional values, version 2. `or` and `orValue` are lazy and live in the planner; these are their types. */
export const optionalFunctions: readonly Overload[] = [
  fn("optional.of", [A], optional(A), (value) => new Optional(value)),
  fn("optional.ofNonZeroValue", [A], optional(A), (value) => (isZero(value) ? Optional.none : new Optional(value))),
  fn("optional.none", [], optional(A), () => Optional.none),
  fn("optional.unwrap", [list(optional(A))], list(A), unwrap, { resultSize: sizeOfArgument() }),
  method(list(optional(A)), "unwrapOpt", [], list(A), unwrap, { resultSize: sizeOfArgument() }),
  method(optional(A), "hasValue", [], bool, (option) => option.value !== undefined),
  method(optional(A), "value", [], A, valueOf),
  method(optional(A), "or", [optional(A)], optional(A), (option, other) =>
    option.value === undefined ? other : option,
  ),
  method(optional(A), "orValue", [A], A, (option, other) => option.value ?? other),
  method(list(A), "first", [], optional(A), (values) => at(values, 0)),
  method(list(A), "last", [], optional(A), (values) => at(values, values.size - 1)),
];

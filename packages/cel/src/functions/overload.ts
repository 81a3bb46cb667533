import type { CelType } from "../types/cel-type.ts";
import { Failure } from "../values/failure.ts";
import { CelList, CelMap, Opaque, Optional, TypeValue, Uint } from "../values/value.ts";
import type { Value } from "../values/value.ts";
import { Duration, Timestamp } from "../values/time.ts";

/** The JavaScript type of the values of a CEL type. */
export type ValueOf<T extends CelType> = T extends CelType<infer V> ? V : never;
type ValuesOf<P extends readonly CelType[]> = { [K in keyof P]: ValueOf<P[K]> };

type Call = (...args: Value[]) => Value;

export interface OverloadOptions {
  /** Cost from the sizes of the arguments (receiver first; scalars have size 1). Default: always 1. */
  readonly cost?: (sizes: readonly number[]) => number;
  /**
   * Returns the work of a call, in units of cost, where it differs from the cost; `isPrepared` is true if `prepare` has
   * done its part already.
   */
  readonly work?: (values: readonly Value[], isPrepared: boolean) => number;
  /** The estimate before anything is evaluated, where it differs; `elements` are the sizes of the arguments' elements. */
  readonly estimate?: (sizes: readonly number[], elements: readonly number[]) => number;
  /** The most the size of the result can be; needed where the result is a string, list or map that later steps walk over. */
  readonly resultSize?: (sizes: readonly number[]) => number;
  /** Work done once for arguments that are literals (others are undefined). May throw a `Failure`: then compiling fails. */
  readonly prepare?: (literals: readonly (Value | undefined)[]) => Call | undefined;
}

/** One signature of a function or operator. */
export interface Overload extends OverloadOptions {
  readonly name: string;
  /** Called as `receiver.name(...)`; the receiver is the first parameter. */
  readonly member: boolean;
  readonly params: readonly CelType[];
  readonly result: CelType;
  readonly call: Call;
}

/** A global function or operator. */
export const fn = <const P extends readonly CelType[], R extends CelType>(
  name: string,
  params: P,
  result: R,
  call: (...args: ValuesOf<P>) => ValueOf<R>,
  options: OverloadOptions = {},
): Overload => ({ name, member: false, params, result, call: call as unknown as Call, ...options });

/** A method; `params` are those in the brackets. */
export const method = <T extends CelType, const P extends readonly CelType[], R extends CelType>(
  receiver: T,
  name: string,
  params: P,
  result: R,
  call: (receiver: ValueOf<T>, ...args: ValuesOf<P>) => ValueOf<R>,
  options: OverloadOptions = {},
): Overload => ({
  name,
  member: true,
  params: [receiver, ...params],
  result,
  call: call as unknown as Call,
  ...options,
});

/** Cost of walking once over argument `index`, or `times` times. */
export const traversal =
  (index = 0, times = 1) =>
  (sizes: readonly number[]): number =>
    Math.ceil((sizes[index] ?? 0) * 0.1 * times);

/** The result is at most as large as argument `index`. */
export const sizeOfArgument =
  (index = 0) =>
  (sizes: readonly number[]): number =>
    sizes[index] ?? Infinity;

/** The size a cost depends on: code units, bytes, elements or entries; 1 for everything else. */
export const sizeOf = (value: Value): number => {
  if (typeof value === "string" || value instanceof Uint8Array) return value.length;
  return value instanceof CelList || value instanceof CelMap ? value.size : 1;
};

/** No single value may be built that is larger than what the budget of one evaluation could walk over. */
export const requireSize = (size: number): void => {
  if (size > 10_000_000) throw new Failure("operation exceeds the cost budget", "budget");
};

const kinds: Readonly<Record<string, (value: Value) => boolean>> = {
  null: (value) => value === null,
  bool: (value) => typeof value === "boolean",
  int: (value) => typeof value === "bigint",
  uint: (value) => value instanceof Uint,
  double: (value) => typeof value === "number",
  string: (value) => typeof value === "string",
  bytes: (value) => value instanceof Uint8Array,
  timestamp: (value) => value instanceof Timestamp,
  duration: (value) => value instanceof Duration,
  list: (value) => value instanceof CelList,
  map: (value) => value instanceof CelMap,
  object: (value) => value instanceof CelMap,
  optional: (value) => value instanceof Optional,
  type: (value) => value instanceof TypeValue,
};

/** Returns whether a value can be an argument of this type. Elements of lists count, entries of maps do not. */
export const accepts = (type: CelType, value: Value): boolean => {
  if (type.kind === "dyn" || type.kind === "parameter") return true;
  if (type.kind === "list") return value instanceof CelList && acceptsElements(type.parameters[0]!, value);
  if (type.kind === "opaque") return value instanceof Opaque && value.typeName === type.name;
  return kinds[type.kind]!(value);
};

const acceptsElements = (element: CelType, values: CelList): boolean => {
  if (element.kind === "dyn" || element.kind === "parameter") return true;
  for (const value of values) if (!accepts(element, value)) return false;
  return true;
};

/** The name `type(value)` reports. */
export const typeNameOf = (value: Value): string => {
  if (value === null) return "null_type";
  if (value instanceof CelMap || value instanceof Opaque) return value.typeName;
  if (value instanceof Timestamp) return "google.protobuf.Timestamp";
  if (value instanceof Duration) return "google.protobuf.Duration";
  if (value instanceof Optional) return "optional_type";
  return Object.keys(kinds).find((kind) => kinds[kind]!(value)) ?? "dyn";
};

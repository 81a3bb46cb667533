import { Duration, Timestamp } from "./time.ts";
import { noSuchOverload } from "./failure.ts";
import { CelList, CelMap, Opaque, Optional, plainKey, TypeValue, Uint } from "./value.ts";
import type { ListIdentity, Value } from "./value.ts";

/** A number of any numeric type, or undefined. */
const numeric = (value: Value): bigint | number | undefined => {
  if (typeof value === "bigint" || typeof value === "number") return value;
  return value instanceof Uint ? value.value : undefined;
};

/** Negative, zero, positive or NaN. An integer and a double are compared as doubles. */
const order = (left: bigint | number, right: bigint | number): number => {
  if (typeof left === "bigint" && typeof right === "bigint") return sign(left, right);
  const [a, b] = [Number(left), Number(right)];
  return Number.isNaN(a) || Number.isNaN(b) ? NaN : sign(a, b);
};

const sign = (left: bigint | number, right: bigint | number): number => (left < right ? -1 : left > right ? 1 : 0);

const sameBytes = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && left.every((byte, index) => byte === right[index]);

const contains = (list: CelList, value: Value): boolean => {
  for (const element of list) if (equals(element, value)) return true;
  return false;
};

/** A membership test for many elements of one list; constant time per element while everything is a scalar. */
const membership = (list: CelList): ((value: Value) => boolean) => {
  const scalars = new Set<unknown>();
  for (const element of list) {
    const key = plainKey(element);
    if (key === undefined) return (value) => contains(list, value);
    scalars.add(key);
  }
  return (value) => scalars.has(plainKey(value));
};

/** The key of a map list's element as text, so that elements can be looked up. */
const identityOf = (element: Value, keys: readonly string[]): string =>
  JSON.stringify(
    keys.map((key) => {
      const member = element instanceof CelMap ? element.get(key) : undefined;
      return typeof member === "bigint" ? `int:${member}` : (member ?? null);
    }),
  );

const byIdentity = (list: CelList, keys: readonly string[]): Map<string, Value> => {
  const elements = new Map<string, Value>();
  for (const element of list) elements.set(identityOf(element, keys), element);
  return elements;
};

const sameLists = (left: CelList, right: CelList): boolean => {
  if (left.size !== right.size) return false;
  if (left.identity?.type === "set") {
    const isMember = membership(right);
    for (const element of left) if (!isMember(element)) return false;
    return true;
  }
  if (left.identity?.type === "map") {
    const others = byIdentity(right, left.identity.keys);
    for (const [identity, element] of byIdentity(left, left.identity.keys)) {
      const other = others.get(identity);
      if (other === undefined || !equals(element, other)) return false;
    }
    return true;
  }
  for (let index = 0; index < left.size; index++) if (!equals(left.get(index), right.get(index))) return false;
  return true;
};

const sameMaps = (left: CelMap, right: CelMap): boolean => {
  if (left.size !== right.size) return false;
  for (const key of left.keys()) {
    const other = right.get(key);
    if (other === undefined || !equals(left.get(key) as Value, other)) return false;
  }
  return true;
};

const sameOptionals = (left: Optional, right: Optional): boolean => {
  if (left.value === undefined || right.value === undefined) return left.value === right.value;
  return equals(left.value, right.value);
};

/** CEL equality: numbers compare across their types, values of other different types are unequal. */
export const equals = (left: Value, right: Value): boolean => {
  if (left === right) return true;
  const number = numeric(left);
  if (number !== undefined) {
    const other = numeric(right);
    return other !== undefined && order(number, other) === 0;
  }
  if (left instanceof CelList) return right instanceof CelList && sameLists(left, right);
  if (left instanceof CelMap) return right instanceof CelMap && sameMaps(left, right);
  if (left instanceof Timestamp) return right instanceof Timestamp && left.nanos === right.nanos;
  if (left instanceof Duration) return right instanceof Duration && left.nanos === right.nanos;
  if (left instanceof Uint8Array) return right instanceof Uint8Array && sameBytes(left, right);
  if (left instanceof TypeValue) return right instanceof TypeValue && left.name === right.name;
  if (left instanceof Optional) return right instanceof Optional && sameOptionals(left, right);
  if (left instanceof Opaque) return right instanceof Opaque && left.equals(right);
  return false;
};

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

/** Orders strings by code points; JavaScript's `<` orders by UTF-16 units, which differs above U+FFFF. */
const compareStrings = (left: string, right: string): number => {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return isSurrogate(a) === isSurrogate(b) ? a - b : isSurrogate(a) ? 1 : -1;
  }
  return left.length - right.length;
};

const compareBytes = (left: Uint8Array, right: Uint8Array): number => {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    if (left[index] !== right[index]) return left[index]! - right[index]!;
  }
  return left.length - right.length;
};

/** Negative, zero or positive; NaN if either operand is NaN. Throws a `Failure` for values that have no order. */
export const compare = (left: Value, right: Value): number => {
  const number = numeric(left);
  const other = numeric(right);
  if (number !== undefined && other !== undefined) return order(number, other);
  if (typeof left === "string" && typeof right === "string") return compareStrings(left, right);
  if (typeof left === "boolean" && typeof right === "boolean") return Number(left) - Number(right);
  if (left instanceof Timestamp && right instanceof Timestamp) return sign(left.nanos, right.nanos);
  if (left instanceof Duration && right instanceof Duration) return sign(left.nanos, right.nanos);
  if (left instanceof Uint8Array && right instanceof Uint8Array) return compareBytes(left, right);
  throw noSuchOverload();
};

/** `element in list` for any list. */
export const listContains = contains;

/**
 * The elements of `left + right`. Set lists unite; map lists keep the left order and take the right value of a common key;
 * other lists are appended.
 */
export const concatenate = (left: CelList, right: CelList): Value[] => {
  const identity: ListIdentity | undefined = left.identity;
  if (identity === undefined) return [...left, ...right];
  if (identity.type === "set") {
    const isMember = membership(left);
    return [...left, ...[...right].filter((element) => !isMember(element))];
  }
  const merged = byIdentity(left, identity.keys);
  for (const [key, element] of byIdentity(right, identity.keys)) merged.set(key, element);
  return [...merged.values()];
};

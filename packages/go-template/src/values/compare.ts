import { GoMethod, GoObject } from "./go-object.ts";
import { isList, isMap, kindOf, sortedKeys } from "./kinds.ts";
import { isFloat, isInteger, toNumber } from "./numbers.ts";

const basic = (value: unknown): string => (value === undefined || value === null ? "nil" : kindOf(value));

/** `eq` of Go: of values of one basic kind. */
export const equal = (a: unknown, b: unknown): boolean => {
  const [left, right] = [basic(a), basic(b)];
  if (left === "nil" || right === "nil") return left === right;
  if (isList(a) || isMap(a) || isList(b) || isMap(b)) throw new Error("non-comparable type");
  if (left !== right) throw new Error("incompatible types for comparison");
  return isInteger(a) && isInteger(b) ? BigInt(a) === BigInt(b) : isFloat(a) ? toNumber(a) === toNumber(b) : a === b;
};

/** `lt` of Go: of integers, floats or texts. */
export const less = (a: unknown, b: unknown): boolean => {
  const [left, right] = [basic(a), basic(b)];
  if (left === "nil" || right === "nil" || left === "bool" || isList(a) || isMap(a)) {
    throw new Error("invalid type for comparison");
  }
  if (left !== right) throw new Error("incompatible types for comparison");
  if (typeof a === "string" && typeof b === "string") return a < b;
  return isInteger(a) && isInteger(b) ? BigInt(a) < BigInt(b) : toNumber(a) < toNumber(b);
};

const fieldsOf = ({ members }: GoObject): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => !(value instanceof GoMethod)));

/** `reflect.DeepEqual`: of the same kind and alike in all parts. */
export const deepEqual = (a: unknown, b: unknown): boolean => {
  if (isList(a) && isList(b)) return a.length === b.length && a.every((item, index) => deepEqual(item, b[index]));
  if (isMap(a) && isMap(b)) {
    const keys = sortedKeys(a);
    return (
      keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && deepEqual(a[key], b[key]))
    );
  }
  if (a instanceof GoObject && b instanceof GoObject) return a.type === b.type && deepEqual(fieldsOf(a), fieldsOf(b));
  if (isList(a) || isMap(a) || isList(b) || isMap(b)) return false;
  return basic(a) === basic(b) && equal(a, b);
};

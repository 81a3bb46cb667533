import { isJsonObject } from "./json-object.ts";

/** Equality of JSON values. The order of members does not count, and a member that is `undefined` counts as absent. */
export const sameJson = (left: unknown, right: unknown): boolean => {
  if (left === right) return true;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) && left.length === right.length && left.every((item, index) => sameJson(item, right[index]))
    );
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const names = Object.keys(left).filter((name) => left[name] !== undefined);
  return (
    names.length === Object.keys(right).filter((name) => right[name] !== undefined).length &&
    names.every((name) => Object.hasOwn(right, name) && sameJson(left[name], right[name]))
  );
};

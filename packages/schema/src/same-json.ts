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
  let members = 0;
  for (const name of Object.keys(left)) {
    const member = left[name];
    if (member === undefined) continue;
    if (!Object.hasOwn(right, name) || !sameJson(member, right[name])) return false;
    members++;
  }
  for (const name of Object.keys(right)) members -= Number(right[name] !== undefined);
  return members === 0;
};

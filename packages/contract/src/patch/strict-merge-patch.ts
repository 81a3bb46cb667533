import { isJsonObject, type MutableJson, own, setMember } from "@capstan/schema";
import { PatchError } from "./patch-error.ts";

/**
 * Applies a JSON merge patch (RFC 7386), except that, as in Kubernetes, null members are also left out of objects in lists. The input is
 * not changed; the result may share parts with document and patch.
 * Throws `PatchError` 400 when the patch is not an object: objects of the API can only be patched by objects.
 */
export const mergePatch = (document: unknown, patch: unknown): MutableJson => {
  if (!isJsonObject(patch)) {
    throw new PatchError(400, "a merge patch must be a JSON object");
  }
  return merge(document, patch);
};

const merge = (target: unknown, patch: MutableJson): MutableJson => {
  const result = isJsonObject(target) ? { ...target } : {};
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    if (value === null) {
      delete result[key];
    } else {
      setMember(result, key, merged(own(result, key), value));
    }
  }
  return result;
};

const merged = (before: unknown, value: unknown): unknown => {
  if (isJsonObject(value)) {
    return merge(before, value);
  }
  // What takes the place of an object is not looked into, in Kubernetes either.
  return isJsonObject(before) ? value : withoutNulls(value);
};

/** A list without the members of its objects that are null; items that are null stay. */
const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    return value.map((item) => (isJsonObject(item) ? merge(undefined, item) : withoutNulls(item)));
  }
  return value;
};

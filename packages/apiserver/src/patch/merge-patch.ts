import { isJsonObject, own } from "@capstan/schema";
import { setMember } from "../values/json-value.ts";
import type { JsonObject } from "../values/json-value.ts";
import { PatchError } from "./patch-error.ts";

/**
 * Applies a JSON merge patch (RFC 7386). The input is not changed; the result may share parts with document and patch.
 * Throws `PatchError` 400 when the patch is not an object: objects of the API can only be patched by objects.
 */
export const mergePatch = (document: unknown, patch: unknown): JsonObject => {
  if (!isJsonObject(patch)) {
    throw new PatchError(400, "a merge patch must be a JSON object");
  }
  return merge(document, patch);
};

const merge = (target: unknown, patch: JsonObject): JsonObject => {
  const result = isJsonObject(target) ? { ...target } : {};
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    if (value === null) {
      delete result[key];
    } else {
      setMember(result, key, isJsonObject(value) ? merge(own(result, key), value) : value);
    }
  }
  return result;
};

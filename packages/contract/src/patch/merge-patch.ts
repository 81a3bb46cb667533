import { isJsonObject, sameJson } from "@capstan/schema";

/** The body of an RFC 7396 merge patch. */
export type MergePatch = Readonly<Record<string, unknown>>;

/** Several patches as one; where two set the same field, the later wins. */
export const mergePatches = (...patches: readonly (MergePatch | undefined)[]): MergePatch => {
  const result: Record<string, unknown> = {};
  for (const patch of patches) {
    for (const [key, value] of Object.entries(patch ?? {})) {
      const before = result[key];
      result[key] = isJsonObject(before) && isJsonObject(value) ? mergePatches(before, value) : value;
    }
  }
  return result;
};

/** Returns the patch without values that the object already has; `undefined` if nothing remains. */
export const effectivePatch = (current: unknown, patch: MergePatch): MergePatch | undefined => {
  const source = isJsonObject(current) ? current : {};
  const result: Record<string, unknown> = {};
  for (const [key, wanted] of Object.entries(patch)) {
    const present = source[key];
    if (wanted === undefined) continue;
    if (wanted === null) {
      if (present !== undefined && present !== null) result[key] = null;
    } else if (isJsonObject(wanted) && (present === undefined || present === null || isJsonObject(present))) {
      const inner = effectivePatch(present, wanted);
      if (inner !== undefined) result[key] = inner;
      else if (!isJsonObject(present) && Object.keys(wanted).length === 0) result[key] = wanted;
    } else if (!sameJson(present, wanted)) {
      result[key] = wanted;
    }
  }
  return Object.keys(result).length === 0 ? undefined : result;
};

/** The object as it will be once the merge patch is applied. */
export const applyPatch = <T>(current: T, patch: MergePatch): T => {
  const result: Record<string, unknown> = isJsonObject(current) ? { ...current } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = isJsonObject(value) ? applyPatch(result[key], value) : value;
  }
  return result as T;
};

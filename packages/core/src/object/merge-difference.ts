import type { MergePatch } from "@capstan/contract/wire";
import { sameJson } from "@capstan/contract/wire";

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The merge patch that turns one JSON object into another; `undefined` when they are equal. Lists are replaced whole. */
export const mergeDifference = (before: object, after: object): MergePatch | undefined => {
  const [from, to] = [before as Readonly<Record<string, unknown>>, after as Readonly<Record<string, unknown>>];
  if (from === to) return undefined;
  const result: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const [old, wanted] = [from[key], to[key]];
    if (old === wanted) continue;
    if (wanted === undefined) {
      if (old !== undefined) result[key] = null;
    } else if (isRecord(old) && isRecord(wanted)) {
      const inner = mergeDifference(old, wanted);
      if (inner !== undefined) result[key] = inner;
    } else if (!sameJson(old, wanted)) {
      result[key] = wanted;
    }
  }
  return Object.keys(result).length === 0 ? undefined : result;
};

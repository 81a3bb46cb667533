import type { MergePatch } from "@capstan/contract/wire";
import { isJsonObject } from "@capstan/schema";

/** What takes fields away that `after` has not. */
const goneIn = (before: unknown, after: unknown): MergePatch =>
  isJsonObject(before) && isJsonObject(after)
    ? Object.fromEntries(
        Object.entries(before).flatMap(([key, value]) => {
          if (after[key] === undefined) return [[key, null]];
          const inner = replacing(value, after[key]);
          return [[key, inner]];
        }),
      )
    : {};

/** The value of a merge patch that makes a free value exactly another one. */
export const replacing = (before: unknown, after: unknown): unknown =>
  isJsonObject(after) ? { ...after, ...goneIn(before, after) } : after;

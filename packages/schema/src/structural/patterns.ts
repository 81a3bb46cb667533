import { RE2JS } from "re2js";
import type { StructuralSchema } from "./structural-schema.ts";

/** Compiled once per schema node; a cache that goes with the schema. */
const compiled = new WeakMap<StructuralSchema, RE2JS>();

/** Returns whether a text contains a match of the node's `pattern`, by the rules of RE2. A node without pattern matches all. */
export const matchesPattern = (schema: StructuralSchema, text: string): boolean => {
  if (schema.pattern === undefined) return true;
  let pattern = compiled.get(schema);
  if (pattern === undefined) {
    pattern = RE2JS.compile(schema.pattern);
    compiled.set(schema, pattern);
  }
  return pattern.matcher(text).find();
};

/** Why a pattern is not RE2, or `undefined` when it is. */
export const patternError = (pattern: string): string | undefined => {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

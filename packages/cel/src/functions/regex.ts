import { RE2JS } from "re2js";
import { patternSize } from "@capstan/schema/structural";
import { bool, int, list, string } from "../types/cel-type.ts";
import type { Value } from "../values/value.ts";
import { Failure } from "../values/failure.ts";
import { ValueList } from "../values/value.ts";
import { fn, method, sizeOfArgument } from "./overload.ts";
import type { Overload, OverloadOptions } from "./overload.ts";

/** A pattern in RE2 syntax; anything else, such as a lookahead or a backreference, is a `Failure`. */
const compilePattern = (pattern: string): RE2JS => {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    throw new Failure(error instanceof Error ? error.message : String(error));
  }
};

const find = (text: string, pattern: RE2JS): string => {
  const matcher = pattern.matcher(text);
  return matcher.find() ? (matcher.group() ?? "") : "";
};

const findAll = (text: string, pattern: RE2JS, limit = -1n): ValueList => {
  const matcher = pattern.matcher(text);
  const found: string[] = [];
  const most = limit < 0n ? Infinity : Number(limit);
  while (found.length < most && matcher.find()) found.push(matcher.group() ?? "");
  return new ValueList(found);
};

/** Cost and, for a literal pattern, one compilation instead of one per call. */
const withPattern = (use: (text: string, pattern: RE2JS, limit?: bigint) => Value): OverloadOptions => ({
  cost: (sizes) => Math.max(1, Math.ceil((sizes[0]! + 1) * 0.1) * Math.ceil(sizes[1]! * 0.25)),
  // In the worst case each instruction of the pattern is held against each character of the text.
  work: ([text, pattern], isPrepared) => {
    const size = patternSize(String(pattern));
    return (isPrepared ? 1 : 5 * size) + Math.ceil(0.05 * size * String(text).length);
  },
  resultSize: sizeOfArgument(),
  prepare: ([, pattern]) => {
    if (typeof pattern !== "string") return undefined;
    const compiled = compilePattern(pattern);
    return (text, _, limit) => use(text as string, compiled, limit as bigint | undefined);
  },
});

const matches = (text: string, pattern: string): boolean => compilePattern(pattern).matcher(text).find();
const matching = withPattern((text, pattern) => pattern.matcher(text).find());

/** Regular expressions, always RE2. `matches` looks for the pattern anywhere in the text. */
export const regexFunctions: readonly Overload[] = [
  method(string, "matches", [string], bool, matches, matching),
  fn("matches", [string, string], bool, matches, matching),
  method(string, "find", [string], string, (text, pattern) => find(text, compilePattern(pattern)), withPattern(find)),
  method(
    string,
    "findAll",
    [string],
    list(string),
    (text, pattern) => findAll(text, compilePattern(pattern)),
    withPattern(findAll),
  ),
  method(
    string,
    "findAll",
    [string, int],
    list(string),
    (text, pattern, limit) => findAll(text, compilePattern(pattern), limit),
    withPattern(findAll),
  ),
];

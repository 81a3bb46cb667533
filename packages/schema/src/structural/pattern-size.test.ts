import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { patternSize } from "./pattern-size.ts";

describe("the size of a pattern", () => {
  it.each([
    "",
    "abc+",
    "^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$",
    "((a{10}){10}){10}",
    "a{1000}".repeat(20),
    "(x|y|z){3,50}",
    "(a|(b{2,}c)*){7}",
    "[]a]{9}[^]b]{9}[[:alpha:]\\]]{9}",
    "\\Qa{9}\\E",
    "\\pL{20}[\\pN\\p{Greek}]",
    "a{,3}{",
    "[a-z]{2}".repeat(30),
  ])("of %j is at least that of its program", (pattern) => {
    const program = RE2JS.compile(pattern).programSize();
    expect(patternSize(pattern)).toBeGreaterThanOrEqual(program);
    if (!pattern.includes("\\p")) expect(patternSize(pattern)).toBeLessThan(4 * program + 10);
  });

  it.each(["(", "((((", ")", "[", "[^", "\\", "{3}", "a{99999999999}", "[[:"])(
    "of %j, which is none, is small",
    (text) => {
      expect(patternSize(text)).toBeLessThan(20);
    },
  );
});

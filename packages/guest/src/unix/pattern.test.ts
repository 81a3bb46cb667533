import { describe, expect, it } from "vitest";
import { isPattern } from "./pattern.ts";

describe("a word of a script", () => {
  it.each([
    ["a*", true],
    ["a?", true],
    ["a\\*", false],
    ["[ab]", true],
    ["[]a]", false],
    ["x[[a]", true],
    ["\\[ab]", false],
    ["[ab", false],
    ["[", false],
    ["[".repeat(300_000), false],
  ])("that is a pattern: %.10s", (word, expected) => {
    expect(isPattern(word)).toBe(expected);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isLabelValue } from "./dns-name.ts";
import { generatedName, nameAsLabel, randomSuffix, suffixedName } from "./generated-name.ts";

const always = (value: number) => ({ next: () => value });

describe("random suffixes", () => {
  it("are of characters that form no words", () => {
    expect(randomSuffix(always(0.999))).toBe("99999");
    expect(randomSuffix(always(0))).toBe("bbbbb");
  });

  it.each([
    ["gen-", "gen-bbbbb"],
    ["", "bbbbb"],
    ["a".repeat(58), `${"a".repeat(58)}bbbbb`],
    ["a".repeat(70), `${"a".repeat(58)}bbbbb`],
  ])("end the name generated for %s", (prefix, name) => {
    expect(generatedName(prefix, always(0))).toBe(name);
  });

  it.each([
    ["short", "abcde", "short-abcde"],
    ["a".repeat(57), "abcde", `${"a".repeat(57)}-abcde`],
    ["a".repeat(60), "abcde", `${"a".repeat(58)}abcde`],
  ])("follow %s, which is cut so that the whole fits", (base, suffix, expected) => {
    expect(suffixedName(base, suffix)).toBe(expected);
    expect(suffixedName(base, suffix).length).toBeLessThanOrEqual(63);
  });
});

describe("nameAsLabel", () => {
  it.each([
    ["web", "web"],
    ["a".repeat(63), "a".repeat(63)],
    ["a".repeat(64), "hash_2W8PhQ_z"],
    ["foobar/", expect.stringMatching(/^hash_[\w-]{6}_z$/)],
  ])("turns the name %s into a label value", (name, label) => {
    expect(nameAsLabel(name)).toEqual(label);
  });

  it("gives different long names different label values", () => {
    expect(nameAsLabel(`${"a".repeat(70)}1`)).not.toBe(nameAsLabel(`${"a".repeat(70)}2`));
  });

  it("gives a label value for every name", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (name) => {
        expect(isLabelValue(nameAsLabel(name))).toBe(true);
      }),
    );
  });
});

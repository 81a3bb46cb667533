import type { Random } from "@capstan/contract";
import { describe, expect, it } from "vitest";
import { fnv1a, nameAsLabel, randomSuffix, suffixedName } from "./names.ts";

const random: Random = { next: () => 0.999, bytes: (length) => new Uint8Array(length) };

describe("names", () => {
  it("makes suffixes out of characters that form no words", () => {
    expect(randomSuffix(random)).toBe("99999");
    expect(randomSuffix({ ...random, next: () => 0 })).toBe("bbbbb");
  });

  it.each([
    ["short", "abcde", "short-abcde"],
    ["a".repeat(57), "abcde", `${"a".repeat(57)}-abcde`],
    ["a".repeat(60), "abcde", `${"a".repeat(58)}abcde`],
  ])("cuts the base of %s so that the whole fits", (base, suffix, expected) => {
    expect(suffixedName(base, suffix)).toBe(expected);
    expect(suffixedName(base, suffix).length).toBeLessThanOrEqual(63);
  });

  it.each([
    ["", 0x811c9dc5],
    ["a", 0xe40c292c],
    ["foobar", 0xbf9cf968],
  ])("hashes %j as FNV-1a does", (text, hash) => {
    expect(fnv1a(text)).toBe(hash);
  });

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
});

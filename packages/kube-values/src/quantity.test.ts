import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatQuantity, millisOf, numberOfQuantity, parseQuantity } from "./quantity.ts";

describe("parseQuantity", () => {
  it.each([
    ["0", 0n, "decimal"],
    ["1", 1_000_000_000n, "decimal"],
    ["+1", 1_000_000_000n, "decimal"],
    ["-1", -1_000_000_000n, "decimal"],
    ["1.", 1_000_000_000n, "decimal"],
    [".5", 500_000_000n, "decimal"],
    ["500m", 500_000_000n, "decimal"],
    ["1n", 1n, "decimal"],
    ["0.1n", 1n, "decimal"],
    ["-0.1n", -1n, "decimal"],
    ["1E", 1_000_000_000_000_000_000_000_000_000n, "decimal"],
    ["1Ki", 1_024_000_000_000n, "binary"],
    ["1.5Ki", 1_536_000_000_000n, "binary"],
    ["2e3", 2_000_000_000_000n, "exponent"],
    ["2E-3", 2_000_000n, "exponent"],
    [".", 0n, "decimal"],
    ["-", 0n, "decimal"],
    ["m", 0n, "decimal"],
    ["Ki", 0n, "binary"],
    ["e3", 0n, "exponent"],
  ])("%s", (text, nanos, form) => {
    expect(parseQuantity(text)).toEqual({ nanos, form });
  });

  it.each(["", "1 Gi", "1gi", "1KI", "1mm", "1e", "1e401", "--1", "0x1", "1".repeat(1001)])("%j is none", (text) => {
    expect(parseQuantity(text)).toBeUndefined();
  });
});

it.each([
  ["1n", 1n],
  ["-1n", -1n],
  ["0.5", 500n],
  ["1.0001", 1001n],
])("%s in thousandths is %d", (text, millis) => {
  expect(millisOf(parseQuantity(text)!)).toBe(millis);
});

describe("formatQuantity", () => {
  it.each([
    ["0", "0"],
    ["0.5", "500m"],
    ["1000m", "1"],
    ["1024Mi", "1Gi"],
    ["1.5Gi", "1536Mi"],
    ["1Ki", "1Ki"],
    ["0.5Ki", "512"],
    ["1000000", "1M"],
    ["1000k", "1M"],
    ["1e3", "1e3"],
    ["1500e3", "1500e3"],
    ["1e6", "1e6"],
    ["1e0", "1"],
    ["-1024Mi", "-1Gi"],
    ["1u", "1m"],
  ])("%s is %s", (text, written) => {
    expect(formatQuantity(parseQuantity(text)!)).toBe(written);
  });

  it("is stable, and keeps every amount that is a whole number of thousandths", () => {
    const suffix = fc.constantFrom("m", "", "k", "M", "Ki", "Mi", "Gi", "e3");
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), suffix, (number, unit) => {
        const quantity = parseQuantity(`${number}${unit}`)!;
        const text = formatQuantity(quantity);
        expect(parseQuantity(text)?.nanos).toBe(quantity.nanos);
        expect(formatQuantity(parseQuantity(text)!)).toBe(text);
      }),
    );
  });
});

it.each([
  ["1500m", 1.5],
  ["-1", -1],
  ["2Ki", 2048],
  ["0.25", 0.25],
])("%s is the number %d", (text, number) => {
  expect(numberOfQuantity(parseQuantity(text)!)).toBe(number);
});

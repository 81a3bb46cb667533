import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatSeconds, parseDuration, parseDurationMs, parseDurationSeconds } from "./duration.ts";

describe("parseDuration", () => {
  it.each([
    ["0", 0n],
    ["-0", 0n],
    ["0s", 0n],
    ["1ns", 1n],
    ["1us", 1000n],
    ["1\u00b5s", 1000n],
    ["1\u03bcs", 1000n],
    ["1ms", 1_000_000n],
    ["90s", 90_000_000_000n],
    ["1h30m", 5_400_000_000_000n],
    ["30m1h", 5_400_000_000_000n],
    ["+5m", 300_000_000_000n],
    ["-1.5s", -1_500_000_000n],
    [".5s", 500_000_000n],
    ["1.s", 1_000_000_000n],
    ["0.0000000001s", 0n],
    ["3000000h", 10_800_000_000_000_000_000n],
  ])("%s is %d ns", (text, nanos) => {
    expect(parseDuration(text)).toBe(nanos);
  });

  it.each(["", "+", "5", "s", ".s", "1 s", "1d", "1s ", "1.2.3s", "--1s", "1h-5m", "1S", `${"1".repeat(1000)}s`])(
    "%j is none",
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
      expect(parseDurationMs(text)).toBeUndefined();
      expect(parseDurationSeconds(text)).toBeUndefined();
    },
  );
});

it.each([
  ["1h30m", 5_400_000, 5400],
  ["10.5s", 10_500, 10],
  ["1500us", 1.5, 0],
  ["-1.5s", -1500, -2],
  ["-2s", -2000, -2],
  ["999ms", 999, 0],
])("%s is %d ms and %d whole seconds", (text, ms, seconds) => {
  expect(parseDurationMs(text)).toBe(ms);
  expect(parseDurationSeconds(text)).toBe(seconds);
});

describe("formatSeconds", () => {
  it.each([
    [0, "0s"],
    [59, "59s"],
    [60, "1m0s"],
    [3600, "1h0m0s"],
    [3610, "1h0m10s"],
    [90_061, "25h1m1s"],
  ])("%d is %s", (seconds, text) => {
    expect(formatSeconds(seconds)).toBe(text);
  });

  it("writes what parseDurationSeconds reads", () => {
    fc.assert(
      fc.property(fc.nat(), (seconds) => {
        expect(parseDurationSeconds(formatSeconds(seconds))).toBe(seconds);
      }),
    );
  });
});

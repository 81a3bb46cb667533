import { expect, it } from "vitest";
import { retryAfterMs } from "./retry-after.ts";

const now = Date.parse("2026-01-02T03:04:05Z");

it.each([
  [undefined, undefined],
  ["", undefined],
  ["soon", undefined],
  ["0", 0],
  ["120", 120_000],
  [" 7 ", 7000],
  [["3", "9"], 3000],
  [[], undefined],
  ["Fri, 02 Jan 2026 03:04:15 GMT", 10_000],
  ["Fri, 02 Jan 2026 03:04:00 GMT", 0],
])("%j is %s ms", (header, ms) => {
  expect(retryAfterMs(header, now)).toBe(ms);
});

it("reads seconds, but no dates, when nobody knows the time", () => {
  expect(retryAfterMs("7", Number.NaN)).toBe(7000);
  expect(retryAfterMs("Fri, 02 Jan 2026 03:04:15 GMT", Number.NaN)).toBeUndefined();
});

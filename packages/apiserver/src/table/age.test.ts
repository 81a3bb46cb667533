import { describe, expect, it } from "vitest";
import { age, humanDuration } from "./age.ts";

const [minute, hour, day, year] = [60, 3600, 86_400, 31_536_000];

describe("humanDuration", () => {
  it.each([
    [-2, "<invalid>"],
    [-0.5, "0s"],
    [37.9, "37s"],
    [119, "119s"],
    [120, "2m"],
    [2 * minute + 5, "2m5s"],
    [10 * minute, "10m"],
    [3 * hour - 1, "179m"],
    [3 * hour, "3h"],
    [3 * hour + minute, "3h1m"],
    [8 * hour, "8h"],
    [2 * day - 1, "47h"],
    [2 * day, "2d"],
    [2 * day + 3 * hour, "2d3h"],
    [8 * day, "8d"],
    [2 * year - 1, "729d"],
    [2 * year, "2y"],
    [2 * year + 10 * day, "2y10d"],
    [8 * year, "8y"],
  ])("%d s is %s", (seconds, text) => {
    expect(humanDuration(seconds)).toBe(text);
  });
});

describe("age", () => {
  const now = Date.parse("2026-01-01T00:01:00Z");
  it.each([
    ["2026-01-01T00:00:00Z", "60s"],
    ["2026-01-01T00:00:00.500000Z", "59s"],
    ["2027-01-01T00:00:00Z", "<invalid>"],
    ["yesterday", "<invalid>"],
    [5, "<invalid>"],
    [undefined, "<unknown>"],
    ["", "<unknown>"],
  ])("of %s is %s", (time, text) => {
    expect(age(time, now)).toBe(text);
  });
});

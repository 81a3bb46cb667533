import { expect, it } from "vitest";
import { parseLinodeTime, realSystem } from "./system.ts";

it.each([
  ["2026-01-01T00:00:01", 1000],
  ["2026-01-01T00:00:01Z", 1000],
  ["2026-01-01T01:00:01+01:00", 1000],
])("reads %s", (text, after) => {
  expect(parseLinodeTime(text)).toBe(Date.UTC(2026, 0, 1) + after);
});

it("has no value for nonsense", () => {
  expect(parseLinodeTime("soon")).toBeNaN();
});

it("rejects a sleep with the signal's reason", async () => {
  const reason = new Error("stop");
  await expect(realSystem.sleep(60_000, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

import { expect, it } from "vitest";
import { durationToSeconds } from "./values.ts";

const place = { namespace: undefined, apiVersionOf: () => "" };

it.each([
  ["10s", 10],
  ["1h0m10.9s", 3610],
  ["1500ms", 1],
  ["0", 0],
  ["-5s", 0],
  ["9999999h", 2 ** 31 - 1],
  ["10", undefined],
  ["", undefined],
])("reads %s as %s seconds", (text, seconds) => {
  expect(durationToSeconds.up?.(text, place)).toBe(seconds);
});

it.each([
  [0, "0s"],
  [90, "1m30s"],
  [3600, "1h0m0s"],
])("writes %d seconds as %s", (seconds, text) => {
  expect(durationToSeconds.down?.(seconds, place)).toBe(text);
});

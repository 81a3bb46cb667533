import { expect, it } from "vitest";
import { formatSeconds, parseSeconds } from "./values.ts";

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
  expect(parseSeconds(text)).toBe(seconds);
});

it.each([
  [0, "0s"],
  [90, "1m30s"],
  [3600, "1h0m0s"],
])("writes %d seconds as %s", (seconds, text) => {
  expect(formatSeconds(seconds)).toBe(text);
});

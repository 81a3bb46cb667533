import { expect, it } from "vitest";
import { goTime } from "./go-time.ts";

const afternoon = Date.UTC(2026, 0, 5, 15, 4, 9, 70);
const morning = Date.UTC(2026, 10, 15, 0, 30, 0, 0);

it.each([
  ["2006-01-02T15:04:05Z07:00", afternoon, "2026-01-05T15:04:09Z"],
  ["2006-01-02T15:04:05.999999999Z07:00", afternoon, "2026-01-05T15:04:09.07Z"],
  ["2006-01-02T15:04:05.999999999Z07:00", morning, "2026-11-15T00:30:00Z"],
  ["2006-01-02 15:04:05.000", afternoon, "2026-01-05 15:04:09.070"],
  ["Mon, 02 Jan 2006 15:04:05 MST", afternoon, "Mon, 05 Jan 2026 15:04:09 UTC"],
  ["Monday, 02-Jan-06 15:04:05 -0700", morning, "Sunday, 15-Nov-26 00:30:00 +0000"],
  ["Mon Jan _2 15:04:05 2006", afternoon, "Mon Jan  5 15:04:09 2026"],
  ["3:04PM", afternoon, "3:04PM"],
  ["3:04pm", morning, "12:30am"],
  ["1/2/06 at 15h", morning, "11/15/26 at 00h"],
])("%s", (layout, time, expected) => {
  expect(goTime(time, layout)).toBe(expected);
});

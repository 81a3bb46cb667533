import { describe, expect, it } from "vitest";
import { isCronSchedule } from "./cron-schedule.ts";

describe("schedules", () => {
  it.each([
    "* * * * *",
    "*/5 0-6,12 1 JAN-MAR MON",
    "0 0 ? * 5/2",
    "@hourly",
    "@every 1h30m",
    "  1 2 3 4 5 ",
    "1,,2 , +3 * *-5",
    "@every -1.5h",
    "@every 0",
  ])("may be %j", (text) => expect(isCronSchedule(text)).toBe(true));

  it.each([
    "",
    "x",
    "* * * *",
    "* * * * * *",
    "60 * * * *",
    "* 24 * * *",
    "* * 0 * *",
    "* * * 13 *",
    "* * * * 7",
    "5-1 * * * *",
    "*/0 * * * *",
    "1/2/3 * * * *",
    "1-2-3 * * * *",
    "@every 9999999999h",
    "@every -",
    "@sometimes",
    "@every",
    "@every 1x",
    "TZ=UTC * * * * *",
    `@every ${"1".repeat(1_000_000)}`,
  ])("may not be %.50j", (text) => expect(isCronSchedule(text)).toBe(false));
});

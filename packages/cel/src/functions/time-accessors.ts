import { duration, int, string, timestamp } from "../types/cel-type.ts";
import { Failure } from "../values/failure.ts";
import type { Duration, Timestamp } from "../values/time.ts";
import { method } from "./overload.ts";
import type { Overload } from "./overload.ts";

/** Milliseconds to add to UTC to get the local time of a zone: `UTC`, `+02:00`, `-8:30`, or an IANA name. */
const offsetMillis = (time: Timestamp, zone: string): number => {
  const fixed = /^([+-]?)(\d{1,2}):(\d{2})$/.exec(zone);
  if (fixed !== null) {
    const minutes = Number(fixed[2]) * 60 + Number(fixed[3]);
    return (fixed[1] === "-" ? -minutes : minutes) * 60_000;
  }
  try {
    return namedOffset(time.millis, zone);
  } catch {
    throw new Failure(`unknown time zone: ${zone}`);
  }
};

/** Making a format takes longer than all else. Zones can be written in many ways: not all of them are kept. */
const formats = new Map<string, Intl.DateTimeFormat>();
const mostFormats = 100;

/** Throws a RangeError for an unknown zone. */
const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    era: "short",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  if (formats.size >= mostFormats) formats.clear();
  formats.set(timeZone, format);
  return format;
};

/** Throws a RangeError for an unknown zone. */
const namedOffset = (millis: number, timeZone: string): number => {
  const parts = formatOf(timeZone).formatToParts(millis);
  const part = (type: string) => Number(parts.find((candidate) => candidate.type === type)?.value);
  const local = new Date(0);
  local.setUTCFullYear(part("year"), part("month") - 1, part("day"));
  local.setUTCHours(part("hour"), part("minute"), part("second"));
  return local.getTime() - Math.floor(millis / 1000) * 1000;
};

const dayOfYear = (date: Date): number => {
  const start = new Date(0);
  start.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return Math.floor((date.getTime() - start.getTime()) / 86_400_000);
};

const accessors: Readonly<Record<string, (local: Date) => number>> = {
  getFullYear: (local) => local.getUTCFullYear(),
  getMonth: (local) => local.getUTCMonth(),
  getDate: (local) => local.getUTCDate(),
  getDayOfMonth: (local) => local.getUTCDate() - 1,
  getDayOfWeek: (local) => local.getUTCDay(),
  getDayOfYear: dayOfYear,
  getHours: (local) => local.getUTCHours(),
  getMinutes: (local) => local.getUTCMinutes(),
  getSeconds: (local) => local.getUTCSeconds(),
  getMilliseconds: (local) => local.getUTCMilliseconds(),
};

const zoned = { work: () => 100 };

const ofTimestamp = Object.entries(accessors).flatMap(([name, read]) => [
  method(timestamp, name, [], int, (time) => BigInt(read(new Date(time.millis)))),
  method(
    timestamp,
    name,
    [string],
    int,
    (time, zone) => BigInt(read(new Date(time.millis + offsetMillis(time, zone)))),
    zoned,
  ),
]);

const whole = (nanosPerUnit: bigint) => (span: Duration) => span.nanos / nanosPerUnit;

/** Accessors of timestamps, in UTC or in a zone, and of durations. */
export const timeAccessors: readonly Overload[] = [
  ...ofTimestamp,
  method(duration, "getHours", [], int, whole(3_600_000_000_000n)),
  method(duration, "getMinutes", [], int, whole(60_000_000_000n)),
  method(duration, "getSeconds", [], int, whole(1_000_000_000n)),
  method(duration, "getMilliseconds", [], int, (span) => (span.nanos / 1_000_000n) % 1000n),
];

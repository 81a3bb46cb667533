import { maxDurationNanos, parseDuration as nanosOf } from "@capstan/kube-values";
import { Failure } from "./failure.ts";

const nanosPerSecond = 1_000_000_000n;

/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59.999999999Z, in nanoseconds since the epoch. */
const earliest = -62_135_596_800n * nanosPerSecond;
const latest = 253_402_300_800n * nanosPerSecond - 1n;

/** A point in time, in nanoseconds since the epoch, in the years 1 to 9999. */
export class Timestamp {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    if (nanos < earliest || nanos > latest) throw new Failure("timestamp overflow");
    this.nanos = nanos;
  }

  get millis(): number {
    return Number(floorDivide(this.nanos, 1_000_000n));
  }
}

/** A span of time in nanoseconds. */
export class Duration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    if (nanos > maxDurationNanos || nanos < -maxDurationNanos - 1n) throw new Failure("duration overflow");
    this.nanos = nanos;
  }
}

export const floorDivide = (dividend: bigint, divisor: bigint): bigint =>
  dividend >= 0n ? dividend / divisor : -((-dividend + divisor - 1n) / divisor);

const timestampPattern = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9})\d*)?([Zz]|[+-]\d\d:\d\d)$/;

const fractionNanos = (digits: string | undefined): bigint => BigInt((digits ?? "").padEnd(9, "0"));

const offsetMinutes = (zone: string): number => {
  if (zone === "Z" || zone === "z") return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6));
  return zone.startsWith("-") ? -minutes : minutes;
};

/** Milliseconds of a calendar date, or undefined for a date that does not exist. Years below 100 are taken literally. */
const calendarMillis = (year: number, month: number, day: number, hour = 0, minute = 0, second = 0) => {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!exists || hour > 23 || minute > 59 || second > 59) return undefined;
  date.setUTCHours(hour, minute, second);
  return date.getTime();
};

/** Texts with more characters are neither times nor durations, however many digits they add. */
const longestText = 1_000;

/** RFC 3339 date-time. */
export const parseTimestamp = (text: string): Timestamp | undefined => {
  if (text.length > longestText) return undefined;
  const parts = timestampPattern.exec(text);
  if (parts === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction, zone] = parts;
  const millis = calendarMillis(+year!, +month!, +day!, +hour!, +minute!, +second!);
  if (millis === undefined) return undefined;
  return new Timestamp(BigInt(millis - offsetMinutes(zone!) * 60_000) * 1_000_000n + fractionNanos(fraction));
};

/** A full date, `2006-01-02`, at midnight UTC. */
export const parseDate = (text: string): Timestamp | undefined => {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (parts === null) return undefined;
  const millis = calendarMillis(+parts[1]!, +parts[2]!, +parts[3]!);
  return millis === undefined ? undefined : new Timestamp(BigInt(millis) * 1_000_000n);
};

/** RFC 3339 in UTC; the fraction has no trailing zeros. */
export const formatTimestamp = (time: Timestamp): string => {
  const seconds = floorDivide(time.nanos, nanosPerSecond);
  const fraction = (time.nanos - seconds * nanosPerSecond).toString().padStart(9, "0").replace(/0+$/, "");
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  return fraction === "" ? `${whole}Z` : `${whole}.${fraction}Z`;
};

/** Go's notation: signed sequences of decimal numbers with a unit, for example `1h30m` or `-1.5s`. */
export const parseDuration = (text: string): Duration | undefined => {
  const nanos = text.length > longestText ? undefined : nanosOf(text);
  return nanos === undefined ? undefined : new Duration(nanos);
};

/** Seconds with a decimal fraction, for example `90s` or `0.5s`. */
export const formatDuration = (duration: Duration): string => {
  const magnitude = duration.nanos < 0n ? -duration.nanos : duration.nanos;
  const fraction = (magnitude % nanosPerSecond).toString().padStart(9, "0").replace(/0+$/, "");
  const seconds = `${duration.nanos < 0n ? "-" : ""}${magnitude / nanosPerSecond}`;
  return fraction === "" ? `${seconds}s` : `${seconds}.${fraction}s`;
};

import { parseDuration } from "./go-duration.ts";
import { GoMethod, GoObject } from "./go-object.ts";

const months = "January February March April May June July August September October November December".split(" ");
const weekdays = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

/** Parts of a time in Go's layouts, longer ones before shorter ones. */
const layoutParts =
  /January|Jan(?![a-z])|Monday|Mon(?![a-z])|MST|_2006|__2|_2|002|0[1-6]|15|1|2006|2|3|4|5|PM|pm|[-Z]07(?::00:00|0000|:00|00|)|[.,](?:0+|9+)(?!\d)/g;

interface Piece {
  readonly text: string;
  readonly isPart: boolean;
}

const piecesOf = (layout: string): readonly Piece[] => {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { 0: text, index } of layout.matchAll(layoutParts)) {
    if (index > at) pieces.push({ text: layout.slice(at, index), isPart: false });
    if (text === "_2006") pieces.push({ text: "_", isPart: false }, { text: "2006", isPart: true });
    else pieces.push({ text, isPart: true });
    at = index + text.length;
  }
  if (at < layout.length) pieces.push({ text: layout.slice(at), isPart: false });
  return pieces;
};

const second = 1_000_000_000n;
const floorDivided = (value: bigint, by: bigint): bigint => value / by - (value % by < 0n ? 1n : 0n);
const daysIn = (year: number, month: number): number => new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();

const epochMs = (year: number, month: number, day: number): number => {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime();
};

/** Go's zero time, the beginning of the year 1. */
const zeroNanoseconds = BigInt(epochMs(1, 1, 1)) * 1_000_000n;

interface Zone {
  /** Seconds east of UTC. */
  readonly offset: number;
  readonly name: string;
}

const utc: Zone = { offset: 0, name: "UTC" };

const twoDigits = (value: number): string => String(value).padStart(2, "0");

const offsetText = (part: string, { offset }: Zone): string => {
  if (part.startsWith("Z") && offset === 0) return "Z";
  const size = Math.abs(offset);
  const numbers = [Math.floor(size / 3600), Math.floor(size / 60) % 60, size % 60].map(twoDigits);
  const count = part.length < 4 ? 1 : part.length < 7 ? 2 : 3;
  return `${offset < 0 ? "-" : "+"}${numbers.slice(0, count).join(part.includes(":") ? ":" : "")}`;
};

/** A time of Go. The time zone of the machine is UTC. */
export class GoTime extends GoObject {
  /** Since 1970. */
  readonly nanoseconds: bigint;
  readonly #zone: Zone;

  constructor(nanoseconds: bigint, zone: Zone = utc) {
    const shown = floorDivided(nanoseconds, second) + BigInt(zone.offset);
    const date = new Date(Number(shown) * 1000);
    const parts = {
      Year: date.getUTCFullYear(),
      Day: date.getUTCDate(),
      Hour: date.getUTCHours(),
      Minute: date.getUTCMinutes(),
      Second: date.getUTCSeconds(),
      Nanosecond: Number(((nanoseconds % second) + second) % second),
      YearDay: Math.floor((date.getTime() - epochMs(date.getUTCFullYear(), 1, 1)) / 86_400_000) + 1,
    };
    const names = { Month: months[date.getUTCMonth()] ?? "", Weekday: weekdays[date.getUTCDay()] ?? "" };
    const text = (layout: string): string =>
      formatted(layout, { ...parts, ...names, month: date.getUTCMonth() + 1 }, zone);
    super({
      type: "time.Time",
      kind: "struct",
      text: text("2006-01-02 15:04:05.999999999 -0700 MST"),
      json: JSON.stringify(text("2006-01-02T15:04:05.999999999Z07:00")),
      members: {
        ...parts,
        ...names,
        Unix: Number(floorDivided(nanoseconds, second)),
        IsZero: nanoseconds === zeroNanoseconds,
        String: text("2006-01-02 15:04:05.999999999 -0700 MST"),
        Format: new GoMethod("string", (layout) => text(String(layout))),
      },
    });
    this.nanoseconds = nanoseconds;
    this.#zone = zone;
  }

  static zero(): GoTime {
    return new GoTime(zeroNanoseconds);
  }

  /** Later by a duration such as `-1.5h`; `undefined` when it is none. */
  plus(duration: string): GoTime | undefined {
    const nanoseconds = parseDuration(duration);
    return nanoseconds === undefined ? undefined : new GoTime(this.nanoseconds + nanoseconds, this.#zone);
  }
}

interface Shown {
  readonly Year: number;
  readonly Month: string;
  readonly month: number;
  readonly Day: number;
  readonly Weekday: string;
  readonly Hour: number;
  readonly Minute: number;
  readonly Second: number;
  readonly Nanosecond: number;
  readonly YearDay: number;
}

const partText = (part: string, time: Shown, zone: Zone): string => {
  switch (part) {
    case "January":
      return time.Month;
    case "Jan":
      return time.Month.slice(0, 3);
    case "1":
      return String(time.month);
    case "01":
      return twoDigits(time.month);
    case "Monday":
      return time.Weekday;
    case "Mon":
      return time.Weekday.slice(0, 3);
    case "2":
      return String(time.Day);
    case "_2":
      return String(time.Day).padStart(2);
    case "02":
      return twoDigits(time.Day);
    case "__2":
      return String(time.YearDay).padStart(3);
    case "002":
      return String(time.YearDay).padStart(3, "0");
    case "15":
      return twoDigits(time.Hour);
    case "3":
      return String(time.Hour % 12 || 12);
    case "03":
      return twoDigits(time.Hour % 12 || 12);
    case "4":
      return String(time.Minute);
    case "04":
      return twoDigits(time.Minute);
    case "5":
      return String(time.Second);
    case "05":
      return twoDigits(time.Second);
    case "2006":
      return String(time.Year).padStart(4, "0");
    case "06":
      return twoDigits(time.Year % 100);
    case "PM":
      return time.Hour >= 12 ? "PM" : "AM";
    case "pm":
      return time.Hour >= 12 ? "pm" : "am";
    case "MST":
      return zone.name === "" ? offsetText("-0700", zone) : zone.name;
    default: {
      if (!/^[.,]/.test(part)) return offsetText(part, zone);
      const digits = String(time.Nanosecond)
        .padStart(9, "0")
        .slice(0, part.length - 1);
      const kept = part[1] === "9" ? digits.replace(/0+$/, "") : digits;
      return kept === "" ? "" : `${part[0]}${kept}`;
    }
  }
};

const formatted = (layout: string, time: Shown, zone: Zone): string =>
  piecesOf(layout)
    .map(({ isPart, text }) => (isPart ? partText(text, time, zone) : text))
    .join("");

/** Returns the pattern of a layout's part in a text. */
const partForm = (part: string): RegExp => {
  switch (part) {
    case "January":
    case "Monday":
      return new RegExp((part === "January" ? months : weekdays).join("|"), "iy");
    case "Jan":
    case "Mon":
      return new RegExp((part === "Jan" ? months : weekdays).map((name) => name.slice(0, 3)).join("|"), "iy");
    case "2006":
      return /\d{4}/y;
    case "_2":
      return / ?\d{1,2}/y;
    case "1":
    case "2":
    case "3":
    case "4":
    case "5":
    case "15":
      return /\d{1,2}/y;
    case "__2":
    case "002":
      return /[ \d]{2}\d/y;
    case "PM":
      return /[AP]M/y;
    case "pm":
      return /[ap]m/y;
    case "MST":
      return /[A-Z]{3,4}|[+-]\d{2}/y;
    default:
      if (part.startsWith("0")) return /\d{2}/y;
      if (/^[.,]/.test(part)) return part[1] === "9" ? /(?:[.,]\d+)?/y : new RegExp(`[.,]\\d{${part.length - 1}}`, "y");
      return new RegExp(`${part.startsWith("Z") ? "Z|" : ""}[-+]\\d{2}${part.slice(3).replace(/00/g, "\\d{2}")}`, "y");
  }
};

/** Seconds east of UTC. */
const offsetOf = (text: string): number => {
  if (text === "Z") return 0;
  const [hours = 0, minutes = 0, seconds = 0] = (text.match(/\d{2}/g) ?? []).map(Number);
  return (text.startsWith("-") ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds);
};

const nameIndex = (names: readonly string[], text: string): number =>
  names.findIndex((name) => name.slice(0, 3).toLowerCase() === text.slice(0, 3).toLowerCase());

class Wanted {
  year = 0;
  month = -1;
  day = -1;
  yearDay = -1;
  hour = 0;
  minute = 0;
  second = 0;
  fraction = "";
  half: "am" | "pm" | undefined;
  offset: number | undefined;
  zone = "";

  take(part: string, text: string): void {
    const number = Number(text);
    if (/^[.,]/.test(part)) this.fraction = text.slice(1);
    else if (/^[-Z]07/.test(part)) this.offset = offsetOf(text);
    else if (part === "2006") this.year = number;
    else if (part === "06") this.year = number + (number >= 69 ? 1900 : 2000);
    else if (part === "1" || part === "01") this.month = number;
    else if (part.startsWith("Jan")) this.month = nameIndex(months, text) + 1;
    else if (part === "2" || part === "_2" || part === "02") this.day = number;
    else if (part === "__2" || part === "002") this.yearDay = number;
    else if (part === "15" || part === "3" || part === "03") this.hour = number;
    else if (part === "4" || part === "04") this.minute = number;
    else if (part === "5" || part === "05") this.second = number;
    else if (/^pm$/i.test(part)) this.half = text.toLowerCase() === "pm" ? "pm" : "am";
    else if (part === "MST") this.zone = text;
  }

  /** The time; `undefined` when the calendar or the clock does not have it. */
  time(): GoTime | undefined {
    const { half, hour, minute, second: seconds, year } = this;
    const hours = half === "pm" && hour < 12 ? hour + 12 : half === "am" && hour === 12 ? 0 : hour;
    if (hours > 23 || minute > 59 || seconds > 59) return undefined;
    const date = this.#date();
    if (date === undefined) return undefined;
    const clock = BigInt(epochMs(year, date.month, date.day) / 1000 + hours * 3600 + minute * 60 + seconds);
    const nanoseconds = clock * second + BigInt(this.fraction.slice(0, 9).padEnd(9, "0"));
    const { offset = 0, zone } = this;
    if (this.offset !== undefined) {
      const isUtc = offset === 0 && (zone === "" || zone === "UTC");
      return new GoTime(nanoseconds - BigInt(offset) * second, isUtc ? utc : { offset, name: zone });
    }
    if (zone === "" || zone === "UTC") return new GoTime(nanoseconds);
    return new GoTime(nanoseconds, { offset: 0, name: zone });
  }

  #date(): { readonly month: number; readonly day: number } | undefined {
    const { year, yearDay } = this;
    if (yearDay >= 0) {
      const isLeap = daysIn(year, 2) === 29;
      if (yearDay < 1 || yearDay > (isLeap ? 366 : 365)) return undefined;
      const date = new Date(epochMs(year, 1, 1) + (yearDay - 1) * 86_400_000);
      return { month: date.getUTCMonth() + 1, day: date.getUTCDate() };
    }
    const [month, day] = [this.month < 0 ? 1 : this.month, this.day < 0 ? 1 : this.day];
    if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
    return { month, day };
  }
}

/** Reads a time by a layout of Go; `undefined` when it has another form, or there is no such time. */
export const parseTime = (layout: string, text: string): GoTime | undefined => {
  const wanted = new Wanted();
  const pieces = piecesOf(layout);
  let at = 0;
  for (const [index, { isPart, text: piece }] of pieces.entries()) {
    if (!isPart) {
      if (!text.startsWith(piece, at)) return undefined;
      at += piece.length;
      continue;
    }
    const form = partForm(piece);
    form.lastIndex = at;
    const found = form.exec(text)?.[0];
    if (found === undefined) return undefined;
    wanted.take(piece, found);
    at += found.length;
    // Seconds may have a fraction that the layout does not mention.
    const isSecond = piece === "5" || piece === "05";
    if (isSecond && !/^[.,]/.test(pieces[index + 1]?.text ?? "")) {
      const fraction = /[.,]\d+/y;
      fraction.lastIndex = at;
      const more = fraction.exec(text)?.[0] ?? "";
      wanted.take(".9", more);
      at += more.length;
    }
  }
  return at === text.length ? wanted.time() : undefined;
};

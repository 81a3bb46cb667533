import type { Clock } from "@capstan/contract";
import { readOptions, type UnixProgram } from "../unix/program.ts";

const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const months = "January February March April May June July August September October November December".split(" ");

const units: Readonly<Record<string, number>> = {
  sec: 1000,
  second: 1000,
  min: 60_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
};

/** The time that a text names, in milliseconds; `undefined`: none. */
const timeIn = (text: string, now: number): number | undefined => {
  const [, seconds] = /^@(-?\d+)$/.exec(text) ?? [];
  if (seconds !== undefined) return Number(seconds) * 1000;
  const [, sign = "", count = "1", unit = "", ago] = /^(?:now )?([-+]?) ?(\d+) (\w+?)s?( ago)?$/.exec(text) ?? [];
  const step = units[unit];
  if (step !== undefined) return now + (sign === "-" || ago !== undefined ? -1 : 1) * Number(count) * step;
  if (text === "now" || text === "today") return now;
  if (text === "tomorrow" || text === "yesterday") return now + (text === "tomorrow" ? 1 : -1) * 86_400_000;
  const time = Date.parse(
    /(?:Z|UTC|[-+]\d\d:?\d\d)$/.test(text) ? text : `${text.trim().replace(/^(\d{4}-\d\d-\d\d)$/, "$1 00:00")} UTC`,
  );
  return Number.isNaN(time) ? undefined : time;
};

const two = (value: number): string => String(value).padStart(2, "0");

/** Returns the values of the letters of a format, in UTC. */
const fieldsOf = (time: number): Readonly<Record<string, string>> => {
  const date = new Date(time);
  const [year, month, day] = [String(date.getUTCFullYear()), two(date.getUTCMonth() + 1), two(date.getUTCDate())];
  const [hours, minutes, seconds] = [two(date.getUTCHours()), two(date.getUTCMinutes()), two(date.getUTCSeconds())];
  const [name = "", long = ""] = [days[date.getUTCDay()], months[date.getUTCMonth()]];
  const dayOfYear = Math.floor((time - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000) + 1;
  return {
    Y: year,
    y: year.slice(2),
    m: month,
    d: day,
    e: String(date.getUTCDate()).padStart(2),
    H: hours,
    I: two(date.getUTCHours() % 12 || 12),
    M: minutes,
    S: seconds,
    N: String(Math.floor(((time % 1000) + 1000) % 1000) * 1_000_000).padStart(9, "0"),
    s: String(Math.floor(time / 1000)),
    F: `${year}-${month}-${day}`,
    D: `${month}/${day}/${year.slice(2)}`,
    T: `${hours}:${minutes}:${seconds}`,
    R: `${hours}:${minutes}`,
    a: name.slice(0, 3),
    A: name,
    b: long.slice(0, 3),
    h: long.slice(0, 3),
    B: long,
    j: String(dayOfYear).padStart(3, "0"),
    u: String(date.getUTCDay() || 7),
    w: String(date.getUTCDay()),
    p: date.getUTCHours() < 12 ? "AM" : "PM",
    Z: "UTC",
    z: "+0000",
    n: "\n",
    t: "\t",
    "%": "%",
  };
};

const formats: Readonly<Record<string, string>> = {
  date: "%Y-%m-%d",
  hours: "%Y-%m-%dT%H+00:00",
  minutes: "%Y-%m-%dT%H:%M+00:00",
  seconds: "%Y-%m-%dT%H:%M:%S+00:00",
};

/** `date`, in UTC: machines have no other zone. */
export const date =
  (clock: Clock): UnixProgram =>
  ({ args, fail, write }) => {
    const { options, words } = readOptions(args, ["-d", "--date", "-s", "--set", "-r"]);
    const asked = options.get("-d") ?? options.get("--date");
    const time = asked === undefined ? clock.now() : timeIn(asked, clock.now());
    if (time === undefined) return fail(`invalid date ‘${asked}’`);
    const iso = args.map((word) => /^(?:-I|--iso-8601=?)(\w*)$/.exec(word)?.[1]).find((word) => word !== undefined);
    const format =
      words.find((word) => word.startsWith("+"))?.slice(1) ??
      (iso === undefined ? "%a %b %e %H:%M:%S %Z %Y" : (formats[iso === "" ? "date" : iso] ?? "%F"));
    const fields = fieldsOf(time);
    write(
      `${format.replace(/%-?([a-zA-Z%])/g, (whole, name: string) => (whole.startsWith("%-") ? (fields[name] ?? whole).replace(/^[0 ]+(?=\d)/, "") : (fields[name] ?? whole)))}\n`,
    );
    return 0;
  };

import { define, times, type TemplateFunctions } from "../functions/define.ts";
import { durationText, parseDuration } from "../values/go-duration.ts";
import { GoTime, parseTime } from "../values/go-time.ts";
import { isInteger } from "../values/numbers.ts";

const timeOf = (value: unknown, of: string): GoTime => {
  if (value instanceof GoTime) return value;
  throw new Error(`${of} needs a time, such as toDate gives`);
};

const needed = (layout: string, text: string): GoTime => {
  const time = parseTime(layout, text);
  if (time !== undefined) return time;
  throw new Error(`parsing time ${JSON.stringify(text)} as ${JSON.stringify(layout)}: cannot parse it`);
};

const later = (duration: string, time: unknown): GoTime => {
  const changed = timeOf(time, "mustDateModify").plus(duration);
  if (changed === undefined) throw new Error(`time: invalid duration ${JSON.stringify(duration)}`);
  return changed;
};

const secondsOf = (value: unknown): bigint => {
  if (isInteger(value)) return BigInt(value);
  return typeof value === "string" && /^[+-]?\d{1,18}$/.test(value) ? BigInt(value) : 0n;
};

const nanosecondsOf = (value: unknown): bigint => {
  if (isInteger(value)) return BigInt(value);
  return typeof value === "string" ? (parseDuration(value) ?? 0n) : 0n;
};

const roundUnits = [
  ["y", 365n * 24n * 3600n],
  ["mo", 30n * 24n * 3600n],
  ["d", 24n * 3600n],
  ["h", 3600n],
  ["m", 60n],
  ["s", 1n],
] as const;

/** The largest unit of a duration, and how many there are. */
export const roundedDuration = (nanoseconds: bigint): string => {
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const found = roundUnits.find(([, seconds]) => size > seconds * 1_000_000_000n);
  return found === undefined ? "0s" : `${size / (found[1] * 1_000_000_000n)}${found[0]}`;
};

const mustDateModify = define(["string", "any"], later);

/** Functions of dates and durations that do not ask for the present time. The zone of the machine is UTC. */
export const dateFunctions: TemplateFunctions = {
  duration: define(["any"], (seconds) => durationText(BigInt.asIntN(64, secondsOf(seconds) * 1_000_000_000n))),
  durationRound: define(["any"], (duration) => roundedDuration(nanosecondsOf(duration))),
  mustDateModify,
  mustToDate: times(40, define(["string", "string"], needed)),
  must_date_modify: mustDateModify,
  toDate: times(
    40,
    define(["string", "string"], (layout, text) => parseTime(layout, text) ?? GoTime.zero()),
  ),
  unixEpoch: define(["any"], (time) => String(timeOf(time, "unixEpoch").members["Unix"])),
};

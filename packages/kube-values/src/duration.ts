const nanosecond = 1n;
const microsecond = 1000n * nanosecond;
const millisecond = 1000n * microsecond;
const second = 1000n * millisecond;
const minute = 60n * second;
const hour = 60n * minute;

/** Go writes the micro sign (U+00B5) and reads the Greek letter (U+03BC) too. */
const units: Readonly<Record<string, bigint>> = {
  ns: nanosecond,
  us: microsecond,
  "\u00b5s": microsecond,
  "\u03bcs": microsecond,
  ms: millisecond,
  s: second,
  m: minute,
  h: hour,
};

const unitNames = "ns|us|\u00b5s|\u03bcs|ms|s|m|h";
const wholePattern = new RegExp(`^(?:(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:${unitNames}))+$`);
const partPattern = new RegExp(`(\\d*)(?:\\.(\\d*))?(${unitNames})`, "g");

/** More than any duration that someone writes: longer texts take time to read. */
const maxLength = 1000;

/** Longest duration that Go and metav1 hold, in nanoseconds. */
export const maxDurationNanos = 2n ** 63n - 1n;

/**
 * Nanoseconds of a duration in Go's notation, as metav1.Duration is written: `1h30m`, `-1.5s`, `0`; `undefined` when the text is none.
 * The value may be larger than `maxDurationNanos`.
 */
export const parseDuration = (text: string): bigint | undefined => {
  const sign = /^[+-]/.exec(text)?.[0] ?? "";
  const amounts = text.slice(sign.length);
  if (amounts === "0") return 0n;
  if (text.length > maxLength || !wholePattern.test(amounts)) return undefined;
  let nanos = 0n;
  for (const [, whole = "", fraction = "", unit = ""] of amounts.matchAll(partPattern)) {
    const scale = units[unit] ?? 0n;
    nanos += BigInt(whole) * scale + (BigInt(fraction) * scale) / 10n ** BigInt(fraction.length);
  }
  return sign === "-" ? -nanos : nanos;
};

/** Milliseconds of a duration in Go's notation; `undefined` when the text is none. */
export const parseDurationMs = (text: string): number | undefined => {
  const nanos = parseDuration(text);
  return nanos === undefined ? undefined : Number(nanos / microsecond) / 1000;
};

/** Whole seconds of a duration in Go's notation, rounded down; `undefined` when the text is none. */
export const parseDurationSeconds = (text: string): number | undefined => {
  const nanos = parseDuration(text);
  if (nanos === undefined) return undefined;
  const seconds = nanos / second;
  return Number(nanos < 0n && nanos % second !== 0n ? seconds - 1n : seconds);
};

/** Whole seconds as Go writes durations: `1h0m10s`. */
export const formatSeconds = (total: number): string => {
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor((total % 3600) / 60);
  const seconds = `${total % 60}s`;
  if (hours > 0) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${minutes}m${seconds}` : seconds;
};

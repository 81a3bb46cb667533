const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const part = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/y;

/** Nanoseconds of a duration such as `1h30m`; `undefined` for any other text. */
export const parseDuration = (text: string): bigint | undefined => {
  const sign = text.startsWith("-") ? -1n : 1n;
  const rest = text.replace(/^[-+]/, "");
  if (rest === "0") return 0n;
  if (rest === "" || rest.length > 100) return undefined;
  let sum = 0n;
  part.lastIndex = 0;
  while (part.lastIndex < rest.length) {
    const [, whole = "", fraction = "", unit = ""] = part.exec(rest) ?? [];
    const size = units[unit];
    if (size === undefined || whole + fraction === "") return undefined;
    sum += BigInt(whole || 0) * size + (BigInt(fraction || 0) * size) / 10n ** BigInt(fraction.length);
  }
  const value = sign * sum;
  return BigInt.asIntN(64, value) === value ? value : undefined;
};

const withFraction = (value: bigint, unit: bigint): string => {
  const digits = String(value % unit)
    .padStart(String(unit).length - 1, "0")
    .replace(/0+$/, "");
  return `${value / unit}${digits === "" ? "" : `.${digits}`}`;
};

/** A duration as Go prints it: `1h0m5s`, `1.5ms`. */
export const durationText = (nanoseconds: bigint): string => {
  const [sign, value] = nanoseconds < 0n ? ["-", -nanoseconds] : ["", nanoseconds];
  if (value === 0n) return "0s";
  if (value < 1000n) return `${sign}${value}ns`;
  if (value < 1_000_000n) return `${sign}${withFraction(value, 1000n)}µs`;
  if (value < 1_000_000_000n) return `${sign}${withFraction(value, 1_000_000n)}ms`;
  const minutes = value / 60_000_000_000n;
  const seconds = `${withFraction(value % 60_000_000_000n, 1_000_000_000n)}s`;
  if (minutes === 0n) return `${sign}${seconds}`;
  return minutes < 60n ? `${sign}${minutes}m${seconds}` : `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}`;
};

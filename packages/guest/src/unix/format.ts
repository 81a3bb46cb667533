import { EffortError, longestOutput } from "./effort.ts";
import { unescaped } from "./escapes.ts";
import { escapedText } from "./quoting.ts";

const directive = /%([-+ #0']*)(\*|\d+)?(?:\.(\*|\d+))?([a-zA-Z%]|\([^)]*\)T)/g;

const tooWide = (): EffortError =>
  new EffortError(`a field of printf has more than ${longestOutput} characters, which the model does not print`);

/** Digits after the point that JavaScript prints. */
const mostDigits = 100;

/** `1e+03` as C prints it. */
const exponential = (value: number, digits: number): string =>
  value.toExponential(digits).replace(/e([-+])(\d)$/, "e$10$2");

const general = (value: number, digits: number): string => {
  const exponent = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  const isLong = exponent < -4 || exponent >= digits;
  const text = isLong ? exponential(value, Math.max(digits - 1, 0)) : value.toFixed(Math.max(digits - 1 - exponent, 0));
  return text.includes(".") ? text.replace(/\.?0+(?=e|$)/, "") : text;
};

/** A number as the conversion prints it. */
const numeric = (value: number, kind: string, precision: number | undefined, flags: string): string => {
  const signed = (text: string): string => (flags.includes("+") && value >= 0 ? `+${text}` : text);
  switch (kind) {
    case "f":
    case "F":
      return signed(value.toFixed(precision ?? 6));
    case "e":
      return signed(exponential(value, precision ?? 6));
    case "g":
      return signed(general(value, precision ?? 6));
    case "x":
      return `${flags.includes("#") ? "0x" : ""}${Math.trunc(value).toString(16)}`;
    case "X":
      return Math.trunc(value).toString(16).toUpperCase();
    case "o":
      return Math.trunc(value).toString(8);
    default: {
      const digits = String(Math.abs(Math.trunc(value))).padStart(precision ?? 0, "0");
      return value < 0 ? `-${digits}` : signed(digits);
    }
  }
};

const padded = (text: string, flags: string, width: number): string => {
  if (flags.includes("-")) return text.padEnd(width);
  if (!flags.includes("0")) return text.padStart(width);
  const [, sign = "", digits = ""] = /^([-+]?)(.*)$/s.exec(text) ?? [];
  return sign + digits.padStart(width - sign.length, "0");
};

/** Returns the number in a text; NaN: there is none. */
const numberIn = (text: string): number => {
  if (text === "") return 0;
  if (/^["']/.test(text)) return text.codePointAt(1) ?? 0;
  return /^-?0[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number(text);
};

const isNumber = (kind: string): boolean => /^[diouxXeEfFgG]$/.test(kind);

/**
 * A format filled with values, again and again until all have been printed, as `printf` of shells and awk does. `wrong` is told of a text that
 * is not a number. Throws `EffortError` for a field that is wider than what a command may print.
 */
export const formatted = (
  format: string,
  values: readonly string[],
  options: { readonly isOnce?: boolean; readonly wrong?: (text: string) => void } = {},
): string => {
  const rest = [...values];
  let result = "";
  do {
    const before = rest.length;
    result += format.replace(directive, (_, flags: string, width?: string, precision?: string, kind = "s") => {
      if (kind === "%") return "%";
      const given = (size: string): number => {
        const count = size === "*" ? Number(rest.shift() ?? 0) : Number(size);
        if (count > longestOutput) throw tooWide();
        return count;
      };
      const length = given(width ?? "0");
      const exact = precision === undefined ? undefined : given(precision);
      return padded(converted(rest.shift() ?? "", kind, exact, { flags, ...options }), flags, length);
    });
    if (rest.length === before) break;
  } while (rest.length > 0 && options.isOnce !== true);
  return result;
};

const converted = (
  value: string,
  kind: string,
  precision: number | undefined,
  { flags, wrong }: { readonly flags: string; readonly wrong?: (text: string) => void },
): string => {
  if (kind === "b") return unescaped(value);
  if (kind === "q") return escapedText(value);
  if (kind === "c") return value.slice(0, 1);
  if (!isNumber(kind)) return precision === undefined ? value : value.slice(0, precision);
  const number = numberIn(value);
  if (Number.isNaN(number)) wrong?.(value);
  const digits = precision === undefined || !/[eEfFgG]/.test(kind) ? precision : Math.min(precision, mostDigits);
  return numeric(Number.isNaN(number) ? Number.parseFloat(value) || 0 : number, kind, digits, flags);
};

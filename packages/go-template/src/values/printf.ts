import { bytesOf, runesOf } from "./bytes.ts";
import { GoObject } from "./go-object.ts";
import { isList, isMap, typeOf } from "./kinds.ts";
import { floatText, goExponent, isFloat, isInteger, toNumber } from "./numbers.ts";
import { quoted, quotedCharacter, show } from "./show.ts";

interface Verb {
  readonly flags: string;
  readonly width: number | undefined;
  readonly precision: number | undefined;
  readonly letter: string;
}

const longest = 10_000;

const padded = (text: string, { flags, width = 0 }: Verb, numeric: boolean): string => {
  const missing = Math.min(width, longest) - runesOf(text).length;
  if (missing <= 0) return text;
  if (flags.includes("-")) return text + " ".repeat(missing);
  if (!flags.includes("0") || !numeric) return " ".repeat(missing) + text;
  const sign = /^[+\- ]/.exec(text)?.[0] ?? "";
  return sign + "0".repeat(missing) + text.slice(sign.length);
};

const signed = (text: string, { flags }: Verb): string => {
  if (text.startsWith("-")) return text;
  if (flags.includes("+")) return text.startsWith("+") ? text : `+${text}`;
  return flags.includes(" ") ? ` ${text}` : text.replace(/^\+/, "");
};

const bases: Readonly<Record<string, readonly [base: number, prefix: string]>> = {
  b: [2, "0b"],
  o: [8, "0"],
  O: [8, "0o"],
  d: [10, ""],
  x: [16, "0x"],
  X: [16, "0X"],
};

const integerText = (value: number | bigint, verb: Verb): string | undefined => {
  const { flags, letter, precision } = verb;
  const code = Number(value);
  const character = String.fromCodePoint(code >= 0 && code <= 0x10ffff ? code : 0xfffd);
  if (letter === "c") return character;
  if (letter === "q") return quotedCharacter(character);
  if (letter === "U") return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  const [base, prefix] = bases[letter === "v" ? "d" : letter] ?? [];
  if (base === undefined) return undefined;
  const negative = value < 0;
  const digits = (negative ? -BigInt(value) : BigInt(value))
    .toString(base)
    .padStart(Math.min(precision ?? 0, longest), "0");
  const marked =
    (letter === "O" || flags.includes("#") ? (prefix ?? "") : "") + (letter === "X" ? digits.toUpperCase() : digits);
  return signed(negative ? `-${marked}` : marked, verb);
};

const floatForm = (value: number, verb: Verb): string | undefined => {
  const { letter } = verb;
  const precision = verb.precision === undefined ? undefined : Math.min(verb.precision, 100);
  if (letter === "v") return signed(precision === undefined ? floatText(value) : significant(value, precision), verb);
  if (!Number.isFinite(value)) return signed(floatText(value), verb);
  switch (letter.toLowerCase()) {
    case "f":
      return signed(value.toFixed(precision ?? 6), verb);
    case "e":
      return signed(cased(goExponent(value.toExponential(precision ?? 6)), letter), verb);
    case "g":
      return signed(cased(precision === undefined ? floatText(value) : significant(value, precision), letter), verb);
    default:
      return undefined;
  }
};

const cased = (text: string, letter: string): string => (letter === letter.toUpperCase() ? text.toUpperCase() : text);

/** `%.3g`: so many digits, with an exponent where it is large or small. */
const significant = (value: number, precision: number): string => {
  const digits = Math.max(1, precision);
  const exponential = value.toExponential(digits - 1);
  const exponent = Number(exponential.slice(exponential.indexOf("e") + 1));
  if (exponent < -4 || exponent >= digits) return goExponent(exponential.replace(/\.?0+e/, "e"));
  const fixed = value.toFixed(Math.max(0, digits - 1 - exponent));
  return fixed.includes(".") ? fixed.replace(/\.?0+$/, "") : fixed;
};

const hex = (text: string, { flags, letter }: Verb): string => {
  const pairs = [...bytesOf(text)].map((byte) => byte.toString(16).padStart(2, "0"));
  const joined = pairs.join(flags.includes(" ") ? " " : "");
  return letter === "X" ? joined.toUpperCase() : joined;
};

const stringForm = (text: string, verb: Verb): string | undefined => {
  const cut = verb.precision === undefined ? text : runesOf(text).slice(0, verb.precision).join("");
  switch (verb.letter) {
    case "v":
      return verb.flags.includes("#") ? quoted(text) : cut;
    case "s":
      return cut;
    case "q":
      return verb.flags.includes("#") && !cut.includes("`") ? `\`${cut}\`` : quoted(cut);
    case "x":
    case "X":
      return hex(cut, verb);
    default:
      return undefined;
  }
};

const wrong = (value: unknown, { letter }: Verb): string =>
  value === undefined || value === null ? `%!${letter}(<nil>)` : `%!${letter}(${typeOf(value)}=${show(value)})`;

const formatted = (value: unknown, verb: Verb): string => {
  const { flags, letter } = verb;
  if (letter === "T") return padded(typeOf(value), verb, false);
  if (value === undefined || value === null) return padded(letter === "v" ? "<nil>" : wrong(value, verb), verb, false);
  if (letter === "v" && flags.includes("#") && !isInteger(value) && !isFloat(value)) {
    return padded(show(value, true), verb, false);
  }
  if (typeof value === "string") return padded(stringForm(value, verb) ?? wrong(value, verb), verb, false);
  if (isInteger(value)) return padded(integerText(value, verb) ?? wrong(value, verb), verb, true);
  if (isFloat(value)) return padded(floatForm(toNumber(value), verb) ?? wrong(value, verb), verb, true);
  if (typeof value === "boolean") {
    return padded(letter === "t" || letter === "v" ? String(value) : wrong(value, verb), verb, false);
  }
  if (value instanceof GoObject) return padded(stringForm(value.text, verb) ?? wrong(value, verb), verb, false);
  if (isList(value)) return `[${value.map((item) => formatted(item, verb)).join(" ")}]`;
  if (!isMap(value)) return wrong(value, verb);
  const keys = Object.keys(value).toSorted();
  return `map[${keys.map((key) => `${formatted(key, verb)}:${formatted(value[key], verb)}`).join(" ")}]`;
};

const verbPattern =
  /%(?<flags>[+\-# 0]*)(?<width>\*|\d+)?(?<dot>\.(?<precision>\*|\d+)?)?(?:\[(?<index>\d+)\])?(?<letter>[^])?/gu;

/** Formats as Go's `printf` does. A value that does not fit its verb is written as `%!d(string=x)`, as in Go. */
export const printf = (format: string, values: readonly unknown[]): string => {
  let next = 0;
  let reordered = false;
  const star = (text: string | undefined): number | undefined => {
    if (text !== "*") return text === undefined ? undefined : Number(text);
    const value = values[next];
    next += 1;
    return isInteger(value) ? Number(value) : undefined;
  };
  const written = format.replace(verbPattern, (...found) => {
    const parts = found.at(-1) as Readonly<Record<string, string | undefined>>;
    const width = star(parts["width"]);
    const precision = parts["dot"] === undefined ? undefined : (star(parts["precision"]) ?? 0);
    const { flags = "", letter } = parts;
    if (letter === undefined) return "%!(NOVERB)";
    if (letter === "%") return "%";
    if (parts["index"] !== undefined) {
      next = Number(parts["index"]) - 1;
      reordered = true;
      if (next < 0 || next >= values.length) return `%!${letter}(BADINDEX)`;
    }
    if (next >= values.length) return `%!${letter}(MISSING)`;
    const value = values[next];
    next += 1;
    const verb: Verb = { flags, width, precision, letter };
    return /[vTtbcdoOqxXUeEfFgGsp]/.test(letter) ? formatted(value, verb) : wrong(value, verb);
  });
  if (reordered || next >= values.length) return written;
  const extra = values
    .slice(next)
    .map((value) => (value === undefined || value === null ? "<nil>" : `${typeOf(value)}=${show(value)}`));
  return `${written}%!(EXTRA ${extra.join(", ")})`;
};

/** Formats as Go's `print` does: with a space between two values that are no texts. */
export const print = (values: readonly unknown[]): string =>
  values
    .map((value, index) => {
      const apart = index > 0 && typeof value !== "string" && typeof values[index - 1] !== "string";
      return (apart ? " " : "") + show(value);
    })
    .join("");

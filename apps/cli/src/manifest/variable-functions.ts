import type { Part, Substitution } from "./variable-syntax.ts";

/** Thrown when an operator cannot be applied to a value. */
export class NotDoable extends Error {}

type Change = (value: string, first: string, second: string | undefined) => string;

/** Letter by letter, so that ß stays one. */
const mapped = (text: string, change: (letter: string) => string): string =>
  Array.from(text, (letter) => {
    const other = change(letter);
    return Array.from(other).length === 1 ? other : letter;
  }).join("");

const lower = (text: string): string => mapped(text, (letter) => letter.toLowerCase());
const upper = (text: string): string => mapped(text, (letter) => letter.toUpperCase());

const withFirst = (text: string, change: (letter: string) => string): string => {
  const [first = "", ...rest] = Array.from(text);
  return change(first) + rest.join("");
};

const integerOf = (text: string): number | undefined => (/^[-+]?\d{1,15}$/.test(text) ? Number(text) : undefined);

/** Positions are of bytes; from the end when they are negative. What is no number changes nothing. */
const slice: Change = (value, position, length) => {
  const bytes = Buffer.from(value);
  const given = integerOf(position);
  if (given === undefined) return value;
  const from = given < 0 ? Math.max(0, bytes.length + given) : given;
  if (length === undefined) return bytes.subarray(from).toString();
  const count = integerOf(length);
  if (count === undefined) return value;
  if (from + count >= bytes.length) return bytes.subarray(from).toString();
  if (count < 0) throw new NotDoable(`the length ${length} is negative`);
  return bytes.subarray(from, from + count).toString();
};

/** A character of a class, and where the next one begins; `undefined` for what is none. */
const classCharacter = (pattern: string, at: number): readonly [code: number, next: number] | undefined => {
  const isEscaped = pattern[at] === "\\";
  const start = isEscaped ? at + 1 : at;
  const code = pattern.codePointAt(start);
  if (code === undefined || (!isEscaped && /^[-\]]/.test(pattern.slice(at, at + 1)))) return undefined;
  const next = start + String.fromCodePoint(code).length;
  return next < pattern.length ? [code, next] : undefined;
};

const codeText = (code: number): string => `\\u{${code.toString(16)}}`;

/** The regular expression of a class such as `[^a-z]`, which begins at `at`; `undefined` when it is none. */
const classOf = (pattern: string, at: number): readonly [text: string, next: number] | undefined => {
  const isNegated = pattern[at + 1] === "^";
  const ranges: string[] = [];
  let next = at + (isNegated ? 2 : 1);
  for (let first = true; first || pattern[next] !== "]"; first = false) {
    const low = classCharacter(pattern, next);
    const high = low !== undefined && pattern[low[1]] === "-" ? classCharacter(pattern, low[1] + 1) : low;
    if (low === undefined || high === undefined) return undefined;
    next = high[1];
    // A range that is upside down holds nothing.
    if (low[0] <= high[0]) ranges.push(`${codeText(low[0])}-${codeText(high[0])}`);
  }
  return [`[${isNegated ? "^" : ""}${ranges.join("")}]`, next + 1];
};

/** The regular expression of a pattern with `*`, `?`, classes and backslashes; `undefined` for one that nothing can match. */
const expressionOf = (pattern: string): RegExp | undefined => {
  let text = "";
  for (let at = 0; at < pattern.length;) {
    const character = pattern[at] ?? "";
    if (character === "[") {
      const found = classOf(pattern, at);
      if (found === undefined) return undefined;
      text += found[0];
      at = found[1];
      continue;
    }
    if (character === "\\" && at + 1 === pattern.length) return undefined;
    const literal = character === "\\" ? (pattern[++at] ?? "") : character;
    const isSpecial = literal === character && (character === "*" || character === "?");
    text += isSpecial ? (character === "*" ? ".*" : ".") : literal.replace(/[$()*+./?[\\\]^{|}]/, String.raw`\$&`);
    at++;
  }
  return new RegExp(`^(?:${text})$`, "su");
};

/** Takes the shortest or longest beginning away that matches; what matches nothing takes nothing. */
const withoutBeginning = (text: string, pattern: string, which: "shortest" | "longest"): string => {
  const expression = expressionOf(pattern);
  if (expression === undefined) return text;
  const letters = Array.from(text);
  const lengths = letters.map((_letter, index) => index + 1);
  const found = (which === "shortest" ? lengths : lengths.toReversed()).find((length) =>
    expression.test(letters.slice(0, length).join("")),
  );
  return found === undefined ? text : letters.slice(found).join("");
};

const reversed = (text: string): string => Array.from(text).toReversed().join("");

/** The end is the beginning of the text read backwards, by the pattern read backwards: a class is none then. */
const withoutEnd = (text: string, pattern: string, which: "shortest" | "longest"): string =>
  reversed(withoutBeginning(reversed(text), reversed(pattern), which));

const replacedBeginning: Change = (value, pattern, text) =>
  text !== undefined && value.startsWith(pattern) ? text + value.slice(pattern.length) : value;

const replacedEnd: Change = (value, pattern, text) =>
  text !== undefined && value.endsWith(pattern) ? value.slice(0, value.length - pattern.length) + text : value;

/** Operators with arguments, except those that give a default. */
const changes: ReadonlyMap<string, Change> = new Map<string, Change>([
  [":", slice],
  ["/", (value, pattern, text = "") => value.replace(pattern, () => text)],
  ["//", (value, pattern, text = "") => value.replaceAll(pattern, () => text)],
  ["/#", replacedBeginning],
  ["/%", replacedEnd],
  ["#", (value, pattern) => withoutBeginning(value, pattern, "shortest")],
  ["##", (value, pattern) => withoutBeginning(value, pattern, "longest")],
  ["%", (value, pattern) => withoutEnd(value, pattern, "shortest")],
  ["%%", (value, pattern) => withoutEnd(value, pattern, "longest")],
]);

/** Operators without arguments. */
const plainChanges: ReadonlyMap<string, (value: string) => string> = new Map([
  [",", (value: string) => withFirst(value, lower)],
  [",,", lower],
  ["^", (value: string) => withFirst(value, upper)],
  ["^^", upper],
  ["#", (value: string) => String(Buffer.byteLength(value))],
]);

/** The text that stands for a part. Throws `NotDoable`. */
const textOf = (part: Part, value: (name: string) => string): string =>
  typeof part === "string" ? part : substituted(part, value);

/** The text that a substitution stands for. Throws `NotDoable`. */
export const substituted = ({ name, operator, args }: Substitution, value: (name: string) => string): string => {
  const given = value(name);
  const texts = args.map((part) => textOf(part, value));
  const [first, second] = texts;
  if (first === undefined) return plainChanges.get(operator)?.(given) ?? given;
  const change = changes.get(operator);
  if (change !== undefined) return change(given, first, second);
  return given === "" ? texts.join("") : given;
};

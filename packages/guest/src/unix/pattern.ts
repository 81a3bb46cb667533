import { own } from "@capstan/schema";
import { RE2JS } from "re2js";

/** Where the bracket expression that opens at `at` ends; -1: it is none. */
const bracketEnd = (pattern: string, at: number): number => {
  const first = pattern[at + 1] === "!" || pattern[at + 1] === "^" ? at + 2 : at + 1;
  let end = pattern.indexOf("]", first + 1);
  for (let inner = pattern.indexOf("[:", first); inner >= 0 && inner < end; inner = pattern.indexOf("[:", inner + 2)) {
    const closes = pattern.indexOf(":]", inner + 2);
    if (closes < 0) return end;
    end = pattern.indexOf("]", closes + 2);
  }
  return end;
};

const classes: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  blank: " \t",
  digit: "0-9",
  lower: "a-z",
  space: " \t\n\r",
  upper: "A-Z",
  xdigit: "0-9A-Fa-f",
};

const isInBracket = (set: string, character: string): boolean => {
  const isNegated = set.startsWith("!") || set.startsWith("^");
  const body = set
    .slice(isNegated ? 1 : 0)
    .replace(/\[:(\w+):\]/g, (whole, name: string) => own(classes, name) ?? whole);
  let found = false;
  for (let index = 0; index < body.length; index += 1) {
    if (body[index + 1] === "-" && index + 2 < body.length) {
      found ||= body.charAt(index) <= character && character <= body.charAt(index + 2);
      index += 2;
    } else found ||= body[index] === character;
  }
  return found !== isNegated;
};

/** Returns the number of characters of a pattern that match the character, or 0. */
const step = (pattern: string, at: number, character: string): number => {
  const sign = pattern.charAt(at);
  if (sign === "?") return 1;
  if (sign === "\\") return pattern.charAt(at + 1) === character ? 2 : 0;
  if (sign === "[") {
    const end = bracketEnd(pattern, at);
    if (end > 0) return isInBracket(pattern.slice(at + 1, end), character) ? end + 1 - at : 0;
  }
  return sign === character ? 1 : 0;
};

const hasExtended = /(?<!\\)[@!+*?]\(/;

/** Returns whether a text fits a pattern of the shell: `*`, `?`, `[...]`, `@(a|b)`, and a backslash before what stands for itself. */
export const fitsPattern = (pattern: string, text: string): boolean =>
  hasExtended.test(pattern) ? fitsExtended(pattern, text) : fitsPlain(pattern, text);

const fitsPlain = (pattern: string, text: string): boolean => {
  let [inPattern, inText, star, mark] = [0, 0, -1, 0];
  while (inText < text.length) {
    if (pattern[inPattern] === "*") {
      [star, mark] = [inPattern, inText];
      inPattern += 1;
      continue;
    }
    const taken = inPattern < pattern.length ? step(pattern, inPattern, text.charAt(inText)) : 0;
    if (taken > 0) {
      inPattern += taken;
      inText += 1;
    } else if (star >= 0) {
      inPattern = star + 1;
      mark += 1;
      inText = mark;
    } else return false;
  }
  while (pattern[inPattern] === "*") inPattern += 1;
  return inPattern >= pattern.length;
};

/** By alternatives in parentheses; those that are not to fit stand alone. */
const fitsExtended = (pattern: string, text: string): boolean => {
  const [, without] = /^!\(([^()]*)\)$/.exec(pattern) ?? [];
  if (without !== undefined) return !without.split("|").some((each) => fitsPlain(each, text));
  return RE2JS.compile(`(?s:${expressionOf(pattern)})`)
    .matcher(text)
    .matches();
};

const repeats: Readonly<Record<string, string>> = { "@": "", "?": "?", "*": "*", "+": "+" };

const expressionOf = (pattern: string): string =>
  pattern.replace(
    /\\([^])|([@?*+])\(([^()]*)\)|(\[[!^]?\]?(?:\[:\w+:\]|[^\]])*\])|(\*)|(\?)|([^])/g,
    (_, ...[escaped, sign, list, set, star, one, other]: readonly (string | undefined)[]) => {
      if (sign !== undefined) return `(?:${(list ?? "").split("|").map(expressionOf).join("|")})${repeats[sign] ?? ""}`;
      if (set !== undefined) return set.replace(/^\[!/, "[^");
      if (star !== undefined) return ".*";
      if (one !== undefined) return ".";
      return RE2JS.quote(escaped ?? other ?? "");
    },
  );

/** With a backslash before everything that would stand for something else. */
export const literalPattern = (text: string): string => text.replace(/[*?[\]\\@!+(|)]/g, "\\$&");

export const isPattern = (pattern: string): boolean => {
  if (/(?<!\\)[*?]|(?<!\\)[@!+]\(/.test(pattern)) return true;
  const set = /(?<!\\)\[(?=[^\]])/.exec(pattern);
  return set !== null && pattern.includes("]", set.index + 2);
};

export const withoutBackslashes = (pattern: string): string => pattern.replace(/\\(.)/gs, "$1");

/** Longest text whose ends are tried against a pattern. */
const longest = 4096;

/** The text without what fits at its beginning or end: the least, or the most. */
export const trimmed = (
  text: string,
  pattern: string,
  { end, most }: { readonly end: boolean; readonly most: boolean },
): string => {
  if (text.length > longest) return text;
  const lengths = Array.from({ length: text.length + 1 }, (_, length) => length);
  for (const length of most ? lengths.toReversed() : lengths) {
    const part = end ? text.slice(text.length - length) : text.slice(0, length);
    if (fitsPattern(pattern, part)) return end ? text.slice(0, text.length - length) : text.slice(length);
  }
  return text;
};

/** The text with what fits first, or all that fits, replaced. */
export const replaced = (
  text: string,
  pattern: string,
  by: string,
  { all, at: place }: { readonly all: boolean; readonly at?: "begin" | "end" },
): string => {
  if (text.length > longest || pattern === "") return place === "begin" && pattern === "" ? by + text : text;
  if (place !== undefined) {
    const rest = trimmed(text, pattern, { end: place === "end", most: true });
    if (rest === text && !fitsPattern(pattern, "")) return text;
    return place === "end" ? rest + by : by + rest;
  }
  let result = "";
  let at = 0;
  while (at < text.length) {
    let length = text.length - at;
    while (length > 0 && !fitsPattern(pattern, text.slice(at, at + length))) length -= 1;
    if (length === 0) {
      result += text.charAt(at);
      at += 1;
      continue;
    }
    result += by;
    at += length;
    if (!all) break;
  }
  return result + text.slice(at);
};

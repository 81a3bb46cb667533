import { longestText } from "../execute/limits.ts";
import { costing, define, defineRest, times as weighing, type TemplateFunctions } from "../functions/define.ts";
import { sizeOf, wholeSizeOf } from "../functions/define.ts";
import { byteLength, byteSlice, runesOf } from "../values/bytes.ts";
import { show } from "../values/show.ts";
import { quoted } from "../values/show.ts";
import { textOf, textsOf } from "./convert.ts";

const times = (count: number, text: string): string => {
  if (count < 0) throw new Error("negative repeat count");
  if (count * text.length > longestText) throw new Error("the result is too large");
  return text.repeat(count);
};

/** White space as Go's `strings.TrimSpace` and `unicode.IsSpace` know it. */
const space = "[\\t\\n\\v\\f\\r \\u0085\\u00A0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const oneSpace = new RegExp(space);
const anySpace = new RegExp(`${space}+`, "g");

const trimmed = (characters: string, text: string): string => {
  const cut = new Set(characters);
  const letters = runesOf(text);
  let [start, end] = [0, letters.length];
  while (start < end && cut.has(letters[start]!)) start += 1;
  while (end > start && cut.has(letters[end - 1]!)) end -= 1;
  return letters.slice(start, end).join("");
};

/** Without white space at both ends. Letter by letter: a pattern for the end would begin again at every space. */
const withoutOuterSpace = (text: string): string => {
  let [start, end] = [0, text.length];
  while (start < end && oneSpace.test(text[start]!)) start += 1;
  while (end > start && oneSpace.test(text[end - 1]!)) end -= 1;
  return text.slice(start, end);
};

const indented = (spaces: number, text: string): string => {
  const pad = times(spaces, " ");
  return pad + text.replaceAll("\n", `\n${pad}`);
};

const truncated = (count: number, text: string): string => {
  const length = byteLength(text);
  if (count < 0 && length + count > 0) return byteSlice(text, length + count);
  return count >= 0 && length > count ? byteSlice(text, 0, count) : text;
};

const substring = (start: number, end: number, text: string): string => {
  const length = byteLength(text);
  const [from, to] = start < 0 ? [0, end] : [start, end < 0 || end > length ? length : end];
  if (from > to || to > length || to < 0) throw new Error("slice bounds out of range");
  return byteSlice(text, from, to);
};

const split = (separator: string, text: string, limit?: number): readonly string[] => {
  if (limit === 0) return [];
  const parts = separator === "" ? runesOf(text) : text.split(separator);
  if (limit === undefined || limit < 0 || parts.length <= limit) return parts;
  return [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)];
};

/** Returns the number of occurrences of a part in a text. */
const occurrences = (part: string, text: string): number => {
  if (part === "") return text.length + 1;
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
};

const replaced = (old: string, by: string, text: string): string => {
  if (occurrences(old, text) * by.length > longestText) throw new Error("the result is too large");
  return text.replaceAll(old, () => by);
};

/** Returns the cost of joining texts, apart from the texts. */
const joints = ([separator, values]: readonly unknown[]): number => sizeOf(separator) * sizeOf(values);

/** Returns the number of characters of padding that are put before the lines of a text. */
const pads = (values: readonly unknown[]): number => {
  const [spaces, text] = values as readonly [number, string];
  return Math.max(0, spaces) * (occurrences("\n", text) + 1);
};

const numbered = (parts: readonly string[]) => Object.fromEntries(parts.map((part, index) => [`_${index}`, part]));

const present = (values: readonly unknown[]): readonly unknown[] =>
  values.filter((value) => value !== undefined && value !== null);

const abbreviated = (left: number, right: number, text: string): string => {
  if (right < 4 || (left > 0 && right < 7)) return text;
  const length = byteLength(text);
  if (length <= right) return text;
  const offset = Math.min(left, length);
  const start = length - offset < right - 3 ? length - (right - 3) : offset;
  if (start <= 4) return `${byteSlice(text, 0, right - 3)}...`;
  if (start + right - 3 < length) return `...${abbreviated(0, right - 3, byteSlice(text, start))}`;
  return `...${byteSlice(text, length - (right - 3))}`;
};

const trim = weighing(20, define(["string", "string"], trimmed));

/** Functions about texts: trimming, cutting, quoting, indenting, splitting. */
export const stringFunctions: TemplateFunctions = {
  abbrev: weighing(
    4,
    define(["int", "string"], (width, text) => abbreviated(0, width, text)),
  ),
  abbrevboth: weighing(4, define(["int", "int", "string"], abbreviated)),
  cat: defineRest([], "any", (...values) => withoutOuterSpace(present(values).map(textOf).join(" "))),
  contains: define(["string", "string"], (part, text) => text.includes(part)),
  hasPrefix: define(["string", "string"], (part, text) => text.startsWith(part)),
  hasSuffix: define(["string", "string"], (part, text) => text.endsWith(part)),
  hello: define([], () => "Hello!"),
  indent: costing(pads, define(["int", "string"], indented)),
  join: costing(
    joints,
    define(["string", "any"], (separator, values) => textsOf(values).join(separator)),
  ),
  lower: define(["string"], (text) => text.toLowerCase()),
  nindent: costing(
    pads,
    define(["int", "string"], (spaces, text) => `\n${indented(spaces, text)}`),
  ),
  nospace: weighing(
    20,
    define(["string"], (text) => text.replace(anySpace, "")),
  ),
  plural: define(["string", "string", "int"], (one, many, count) => (count === 1 ? one : many)),
  quote: costing(
    (values) => 60 * wholeSizeOf(values),
    defineRest([], "any", (...values) =>
      present(values)
        .map((value) => quoted(textOf(value)))
        .join(" "),
    ),
  ),
  repeat: define(["int", "string"], times),
  replace: costing(
    ([old, by, text]) => occurrences(String(old), String(text)) * (10 + sizeOf(by)),
    define(["string", "string", "string"], replaced),
  ),
  split: weighing(
    20,
    define(["string", "string"], (separator, text) => numbered(split(separator, text))),
  ),
  splitList: weighing(
    20,
    define(["string", "string"], (separator, text) => split(separator, text)),
  ),
  splitn: weighing(
    20,
    define(["string", "int", "string"], (separator, limit, text) => numbered(split(separator, text, limit))),
  ),
  squote: defineRest([], "any", (...values) =>
    present(values)
      .map((value) => `'${show(value)}'`)
      .join(" "),
  ),
  substr: weighing(4, define(["int", "int", "string"], substring)),
  toString: define(["any"], textOf),
  toStrings: define(["any"], textsOf),
  trim: weighing(
    20,
    define(["string"], (text) => withoutOuterSpace(text)),
  ),
  trimAll: trim,
  trimPrefix: define(["string", "string"], (part, text) => (text.startsWith(part) ? text.slice(part.length) : text)),
  trimSuffix: define(["string", "string"], (part, text) =>
    part !== "" && text.endsWith(part) ? text.slice(0, -part.length) : text,
  ),
  trimall: trim,
  trunc: weighing(4, define(["int", "string"], truncated)),
  upper: define(["string"], (text) => text.toUpperCase()),
};

import { longestText } from "../execute/limits.ts";
import { define, defineRest, type TemplateFunctions } from "../functions/define.ts";
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
const outerSpace = new RegExp(`^${space}+|${space}+$`, "g");
const anySpace = new RegExp(`${space}+`, "g");

const trimmed = (characters: string, text: string): string => {
  const cut = new Set(characters);
  const letters = runesOf(text);
  let [start, end] = [0, letters.length];
  while (start < end && cut.has(letters[start]!)) start += 1;
  while (end > start && cut.has(letters[end - 1]!)) end -= 1;
  return letters.slice(start, end).join("");
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

const trim = define(["string", "string"], trimmed);

/** Functions about texts: trimming, cutting, quoting, indenting, splitting. */
export const stringFunctions: TemplateFunctions = {
  abbrev: define(["int", "string"], (width, text) => abbreviated(0, width, text)),
  abbrevboth: define(["int", "int", "string"], abbreviated),
  cat: defineRest([], "any", (...values) => present(values).map(textOf).join(" ").replace(outerSpace, "")),
  contains: define(["string", "string"], (part, text) => text.includes(part)),
  hasPrefix: define(["string", "string"], (part, text) => text.startsWith(part)),
  hasSuffix: define(["string", "string"], (part, text) => text.endsWith(part)),
  hello: define([], () => "Hello!"),
  indent: define(["int", "string"], indented),
  join: define(["string", "any"], (separator, values) => textsOf(values).join(separator)),
  lower: define(["string"], (text) => text.toLowerCase()),
  nindent: define(["int", "string"], (spaces, text) => `\n${indented(spaces, text)}`),
  nospace: define(["string"], (text) => text.replace(anySpace, "")),
  plural: define(["string", "string", "int"], (one, many, count) => (count === 1 ? one : many)),
  quote: defineRest([], "any", (...values) =>
    present(values)
      .map((value) => quoted(textOf(value)))
      .join(" "),
  ),
  repeat: define(["int", "string"], times),
  replace: define(["string", "string", "string"], (old, by, text) => text.replaceAll(old, () => by)),
  split: define(["string", "string"], (separator, text) => numbered(split(separator, text))),
  splitList: define(["string", "string"], (separator, text) => split(separator, text)),
  splitn: define(["string", "int", "string"], (separator, limit, text) => numbered(split(separator, text, limit))),
  squote: defineRest([], "any", (...values) =>
    present(values)
      .map((value) => `'${show(value)}'`)
      .join(" "),
  ),
  substr: define(["int", "int", "string"], substring),
  toString: define(["any"], textOf),
  toStrings: define(["any"], textsOf),
  trim: define(["string"], (text) => text.replace(outerSpace, "")),
  trimAll: trim,
  trimPrefix: define(["string", "string"], (part, text) => (text.startsWith(part) ? text.slice(part.length) : text)),
  trimSuffix: define(["string", "string"], (part, text) =>
    part !== "" && text.endsWith(part) ? text.slice(0, -part.length) : text,
  ),
  trimall: trim,
  trunc: define(["int", "string"], truncated),
  upper: define(["string"], (text) => text.toUpperCase()),
};

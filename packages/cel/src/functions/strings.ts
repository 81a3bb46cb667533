import { bool, int, list, string } from "../types/cel-type.ts";
import type { CelList } from "../values/value.ts";
import { Failure, noSuchOverload } from "../values/failure.ts";
import { ValueList } from "../values/value.ts";
import { fn, method, requireSize, sizeOfArgument, traversal } from "./overload.ts";
import type { Overload } from "./overload.ts";
import { codePoints, isPlain } from "./text.ts";

const strings = list(string);
const pass = { cost: traversal(), resultSize: sizeOfArgument() };
const find = { cost: traversal() };

const outOfRange = (index: bigint): Failure => new Failure(`index out of range: ${index}`);

const charAt = (text: string, index: bigint): string => {
  const points = codePoints(text);
  if (index < 0n || index > points.length) throw outOfRange(index);
  return points[Number(index)] ?? "";
};

/** An index in code points of a position in UTF-16 units; -1 stays. */
const pointIndex = (text: string, unit: number): bigint =>
  BigInt(unit < 0 || isPlain(text) ? unit : codePoints(text.slice(0, unit)).length);

const unitIndex = (text: string, point: bigint): number => {
  if (isPlain(text)) {
    if (point < 0n || point > text.length) throw outOfRange(point);
    return Number(point);
  }
  const points = codePoints(text);
  if (point < 0n || point > points.length) throw outOfRange(point);
  return points.slice(0, Number(point)).join("").length;
};

const indexOf = (text: string, part: string, from = 0n): bigint => {
  const start = unitIndex(text, from);
  return pointIndex(text, text.indexOf(part, start));
};

const lastIndexOf = (text: string, part: string, from?: bigint): bigint => {
  if (from === undefined) return pointIndex(text, text.lastIndexOf(part));
  return pointIndex(text, text.lastIndexOf(part, unitIndex(text, from)));
};

const substring = (text: string, from: bigint, to?: bigint): string => {
  const start = unitIndex(text, from);
  const end = to === undefined ? text.length : unitIndex(text, to);
  if (start > end) throw new Failure(`invalid substring range. start: ${from}, end: ${to}`);
  return text.slice(start, end);
};

const split = (text: string, separator: string, limit = -1n): CelList => {
  if (limit === 0n) return new ValueList([]);
  if (limit === 1n) return new ValueList([text]);
  const parts = separator === "" ? codePoints(text) : text.split(separator);
  if (limit < 0n || BigInt(parts.length) <= limit) return new ValueList(parts);
  const head = parts.slice(0, Number(limit) - 1);
  return new ValueList([...head, parts.slice(Number(limit) - 1).join(separator)]);
};

const replace = (text: string, from: string, to: string, limit = -1n): string => {
  const parts = from === "" ? ["", ...codePoints(text), ""] : text.split(from);
  const count = limit < 0n ? parts.length - 1 : Math.min(Number(limit), parts.length - 1);
  requireSize(text.length + count * to.length);
  const replaced = parts.slice(0, count + 1).join(to);
  return count === parts.length - 1 ? replaced : [replaced, ...parts.slice(count + 1)].join(from);
};

const join = (parts: CelList, separator = ""): string => {
  const texts = [...parts];
  let size = separator.length * texts.length;
  for (const text of texts) {
    if (typeof text !== "string") throw noSuchOverload();
    size += text.length;
  }
  requireSize(size);
  return texts.join(separator);
};

const lowerAscii = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
const upperAscii = (text: string): string => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());

/** Unicode White_Space, of which JavaScript's is not quite the same. */
const isSpace = (character: string | undefined): boolean =>
  character !== undefined && character !== "\ufeff" && /[\s\u0085]/.test(character);

/** Without white space at both ends. Letter by letter: a pattern for the end would begin again at every space of the text. */
const trim = (text: string): string => {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text[start])) start += 1;
  while (end > start && isSpace(text[end - 1])) end -= 1;
  return text.slice(start, end);
};

const quoteEscapes: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};

/** The string as a CEL literal in double quotes. */
const quote = (text: string): string =>
  `"${text.toWellFormed().replace(/[\p{Cc}\\"]/gu, (character) => quoteEscapes[character] ?? character)}"`;

/** A replacement for an empty string can surround every character. */
const replaced = {
  cost: traversal(0, 2),
  resultSize: (sizes: readonly number[]) => sizes[0]! + (sizes[0]! + 1) * (sizes[2] ?? 0),
};
const splitUp = { cost: traversal(0, 2), resultSize: sizeOfArgument() };
const joined = {
  cost: traversal(0, 2),
  estimate: (sizes: readonly number[], elements: readonly number[]) =>
    Math.ceil(sizes[0]! * (elements[0] ?? 0) * 0.1) + Math.ceil(sizes[0]! * (sizes[1] ?? 0) * 0.1),
};

/** The core string methods and version 2 of the strings extension. */
export const stringFunctions: readonly Overload[] = [
  method(string, "contains", [string], bool, (text, part) => text.includes(part), {
    cost: (sizes) => Math.max(1, Math.ceil(sizes[0]! * 0.1) * Math.ceil(sizes[1]! * 0.1)),
    estimate: (sizes) => Math.ceil(sizes[0]! * 0.1) * Math.ceil(sizes[1]! * 0.1),
  }),
  method(string, "startsWith", [string], bool, (text, part) => text.startsWith(part), { cost: traversal(1) }),
  method(string, "endsWith", [string], bool, (text, part) => text.endsWith(part), { cost: traversal(1) }),
  method(string, "charAt", [int], string, charAt, {
    cost: traversal(),
    estimate: () => 1,
    resultSize: () => 2,
  }),
  method(string, "indexOf", [string], int, (text, part) => indexOf(text, part), find),
  method(string, "indexOf", [string, int], int, indexOf, find),
  method(string, "lastIndexOf", [string], int, (text, part) => lastIndexOf(text, part), find),
  method(string, "lastIndexOf", [string, int], int, lastIndexOf, find),
  method(string, "lowerAscii", [], string, lowerAscii, pass),
  method(string, "upperAscii", [], string, upperAscii, pass),
  method(string, "trim", [], string, trim, pass),
  method(string, "substring", [int], string, (text, from) => substring(text, from), pass),
  method(string, "substring", [int, int], string, substring, pass),
  method(string, "replace", [string, string], string, (text, from, to) => replace(text, from, to), replaced),
  method(string, "replace", [string, string, int], string, replace, replaced),
  method(string, "split", [string], strings, (text, separator) => split(text, separator), splitUp),
  method(string, "split", [string, int], strings, split, splitUp),
  method(strings, "join", [], string, (parts) => join(parts), joined),
  method(strings, "join", [string], string, join, joined),
  fn("strings.quote", [string], string, quote, { cost: traversal(), resultSize: (sizes) => sizes[0]! * 2 + 2 }),
];

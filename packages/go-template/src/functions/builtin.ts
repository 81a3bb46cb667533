import { byteLength, byteSlice, bytesOf } from "../values/bytes.ts";
import { equal, less } from "../values/compare.ts";
import { isList, isMap, isTrue, member, typeOf } from "../values/kinds.ts";
import { isInteger, toNumber } from "../values/numbers.ts";
import { print, printf } from "../values/printf.ts";
import { show } from "../values/show.ts";
import { costing, define, defineRest, wholeSizeOf, type TemplateFunctions } from "./define.ts";

const indexOf = (value: unknown, length: number): number => {
  if (value === undefined || value === null) throw new Error("cannot index slice/array with nil");
  if (!isInteger(value)) throw new Error(`cannot index slice/array with type ${typeOf(value)}`);
  const at = toNumber(value);
  if (at < 0 || at > length) throw new Error(`index out of range: ${at}`);
  return at;
};

const itemOf = (of: unknown, key: unknown): unknown => {
  if (of === undefined || of === null) throw new Error("index of untyped nil");
  if (isMap(of)) {
    if (typeof key !== "string") throw new Error(`value has type ${typeOf(key)}; should be string`);
    return member(of, key).value;
  }
  const items = typeof of === "string" ? bytesOf(of) : of;
  if (typeof of !== "string" && !isList(of)) throw new Error(`can't index item of type ${typeOf(of)}`);
  const list = items as ArrayLike<unknown>;
  const at = indexOf(key, list.length);
  if (at >= list.length) throw new Error(`index out of range: ${at}`);
  return list[at];
};

const sliceOf = (of: unknown, ...bounds: readonly unknown[]): unknown => {
  if (typeof of !== "string" && !isList(of)) throw new Error(`can't slice item of type ${typeOf(of)}`);
  if (bounds.length > (typeof of === "string" ? 2 : 3)) throw new Error(`too many slice indexes: ${bounds.length}`);
  const length = typeof of === "string" ? byteLength(of) : of.length;
  const [start = 0, end = length] = bounds.map((bound) => indexOf(bound, length));
  if (start > end) throw new Error(`invalid slice index: ${start} > ${end}`);
  return typeof of === "string" ? byteSlice(of, start, end) : of.slice(start, end);
};

const lengthOf = (of: unknown): number => {
  if (of === undefined || of === null) throw new Error("len of nil pointer");
  if (typeof of === "string") return byteLength(of);
  if (isList(of)) return of.length;
  if (isMap(of)) return Object.keys(of).length;
  throw new Error(`len of type ${typeOf(of)}`);
};

const escaped = (text: string, replacements: Readonly<Record<string, string>>): string =>
  text.replace(/[^]/gu, (character) => replacements[character] ?? character);

const html: Readonly<Record<string, string>> = {
  "\0": "\uFFFD",
  '"': "&#34;",
  "'": "&#39;",
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
};

const js = (text: string): string =>
  escaped(text, {
    "\\": "\\\\",
    "'": "\\'",
    '"': '\\"',
    "<": "\\u003C",
    ">": "\\u003E",
    "&": "\\u0026",
    "=": "\\u003D",
    "\n": "\\u000A",
    "\r": "\\u000D",
    "\t": "\\u0009",
  });

const query = (text: string): string =>
  encodeURIComponent(text)
    .replaceAll("%20", "+")
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

const textsOf = (values: readonly unknown[]): string => {
  const [only] = values;
  return values.length === 1 && typeof only === "string" ? only : print(values);
};

const letterByLetter = (values: readonly unknown[]): number => 20 * wholeSizeOf(values);

/** Widths say how long a text becomes, and a verb with an index can write a value again. */
const formatCost = ([format, ...values]: readonly unknown[]): number => {
  const text = String(format);
  const widths = [...text.matchAll(/\d+/g)].reduce((sum, [digits]) => sum + Math.min(Number(digits), 10_000), 0);
  const verbs = text.split("%").length;
  const written = text.includes("[") ? verbs * wholeSizeOf(values) : wholeSizeOf(values);
  return 10 * text.length + 10_000 * (text.split("*").length - 1) + 2 * widths + 20 * written;
};

/** The functions that the language itself has, beside `and` and `or`, whose arguments are not always looked at. */
export const builtinFunctions: TemplateFunctions = {
  call: defineRest(["any"], "any", (of) => {
    throw new Error(`non-function of type ${typeOf(of)}`);
  }),
  eq: defineRest(["any", "any"], "any", (value, ...others) => others.some((other) => equal(value, other))),
  ge: define(["any", "any"], (a, b) => !less(a, b)),
  gt: define(["any", "any"], (a, b) => !less(a, b) && !equal(a, b)),
  html: costing(
    letterByLetter,
    defineRest([], "any", (...values) => escaped(textsOf(values), html)),
  ),
  index: defineRest(["any"], "any", (of, ...keys) => keys.reduce(itemOf, of)),
  js: costing(
    letterByLetter,
    defineRest([], "any", (...values) => js(textsOf(values))),
  ),
  le: define(["any", "any"], (a, b) => less(a, b) || equal(a, b)),
  len: define(["any"], lengthOf),
  lt: define(["any", "any"], less),
  ne: define(["any", "any"], (a, b) => !equal(a, b)),
  not: define(["any"], (value) => !isTrue(value)),
  print: defineRest([], "any", (...values) => print(values)),
  printf: costing(
    formatCost,
    defineRest(["string"], "any", (format, ...values) => printf(format, values)),
  ),
  println: defineRest([], "any", (...values) => `${values.map((value) => show(value)).join(" ")}\n`),
  slice: defineRest(["any"], "any", sliceOf),
  urlquery: costing(
    letterByLetter,
    defineRest([], "any", (...values) => query(textsOf(values))),
  ),
};

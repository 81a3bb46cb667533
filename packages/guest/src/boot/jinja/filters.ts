import { argument, type Given, type Operation } from "./arguments.ts";
import { filled, joined, replaced, stripped } from "./texts.ts";
import { compared, contains, equals, isList, isMap, isTrue, itemsOf } from "./value.ts";
import { Missing, numberOf, shown, sizeOf, type Value } from "./value.ts";

const onText =
  (change: (text: string, given: Given) => Value): Operation =>
  (value, given) =>
    change(shown(value), given);

const onItems =
  (change: (items: readonly Value[], given: Given) => Value): Operation =>
  (value, given) =>
    change(itemsOf(value), given);

const html: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;" };

const length: Operation = (value) => {
  if (isMap(value)) return value.size;
  return typeof value === "string" ? value.length : itemsOf(value).length;
};

const fallback: Operation = (value, given) => {
  const isEmpty = value instanceof Missing || (argument(given, 1, "boolean") === true && !isTrue(value));
  return isEmpty ? (argument(given, 0, "default_value") ?? "") : value;
};

const integer: Operation = (value, given) => {
  const number = typeof value === "string" ? Number(value.replaceAll("_", "")) : Number(value);
  const isNumber = !(value instanceof Missing) && value !== null && value !== "" && Number.isFinite(number);
  return isNumber ? Math.trunc(number) : (argument(given, 0, "default") ?? 0);
};

const rounded: Operation = (value, given) => {
  const factor = 10 ** numberOf(argument(given, 0, "precision") ?? 0, "precision");
  const way = argument(given, 1, "method") ?? "common";
  const change = way === "ceil" ? Math.ceil : way === "floor" ? Math.floor : Math.round;
  return change(numberOf(value, "what round is given") * factor) / factor;
};

const indented = onText((text, given) => {
  const width = argument(given, 0, "width") ?? 4;
  const pad = typeof width === "string" ? width : filled(" ", numberOf(width, "the width"), given.budget);
  const lines = text.split("\n");
  given.budget.pay(text.length + lines.length * pad.length);
  const [first, blank] = [argument(given, 1, "first") === true, argument(given, 2, "blank") === true];
  const changed = lines.map((line, index) => ((index > 0 || first) && (blank || line !== "") ? pad + line : line));
  return changed.join("\n");
});

const sorted = onItems((items, given) => {
  const anyCase = argument(given, 1, "case_sensitive") !== true;
  const key = (value: Value): Value => (anyCase && typeof value === "string" ? value.toLowerCase() : value);
  given.budget.pay(items.length * 20);
  const ordered = items.toSorted((left, right) => compared(key(left), key(right)));
  return argument(given, 0, "reverse") === true ? ordered.toReversed() : ordered;
});

const unsafe: Readonly<Record<string, string>> = { "&": "\\u0026", "<": "\\u003c", ">": "\\u003e", "'": "\\u0027" };

/** JSON as Python writes it, with the names in their order. */
const json = (value: Value): string => {
  if (value instanceof Missing) throw new Error(`${value.name} is undefined`);
  if (isList(value)) return `[${value.map(json).join(", ")}]`;
  if (!isMap(value)) return JSON.stringify(value).replace(/[&<>']/g, (letter) => unsafe[letter] ?? letter);
  const members = [...value].toSorted(([left], [right]) => compared(left, right));
  return `{${members.map(([name, member]) => `${json(name)}: ${json(member)}`).join(", ")}}`;
};

const extreme =
  (sign: number) =>
  (items: readonly Value[]): Value =>
    items.reduce((best, item) => (compared(item, best) * sign > 0 ? item : best), items[0] ?? new Missing("item"));

const unique = (items: readonly Value[], { budget }: Given): readonly Value[] => {
  const found: Value[] = [];
  for (const item of items) {
    budget.pay(sizeOf(item) * (found.length + 1));
    if (!found.some((each) => equals(each, item))) found.push(item);
  }
  return found;
};

const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase();
const title = (text: string): string => text.replace(/[^\s\-({[<]+/g, capitalized);

const same: Operation = (value) => value;

/** The filters of Jinja that are modelled. */
export const filters: Readonly<Record<string, Operation>> = {
  abs: (value) => Math.abs(numberOf(value, "what abs is given")),
  capitalize: onText(capitalized),
  count: length,
  d: fallback,
  default: fallback,
  e: onText((text) => text.replace(/[&<>"']/g, (letter) => html[letter] ?? letter)),
  escape: onText((text) => text.replace(/[&<>"']/g, (letter) => html[letter] ?? letter)),
  first: onItems((items) => items[0] ?? new Missing("first")),
  float: (value) => {
    const number = Number(shown(value));
    return Number.isNaN(number) ? 0 : number;
  },
  indent: indented,
  int: integer,
  items: (value) => (isMap(value) ? [...value].map((pair) => pair) : []),
  join: onItems((items, given) => joined(shown(argument(given, 0, "d") ?? ""), items, given.budget)),
  last: onItems((items) => items.at(-1) ?? new Missing("last")),
  length,
  list: onItems((items) => items),
  lower: onText((text) => text.toLowerCase()),
  max: onItems(extreme(1)),
  min: onItems(extreme(-1)),
  replace: onText((text, given) => {
    const [old, by] = [argument(given, 0, "old") ?? "", argument(given, 1, "new") ?? ""];
    const count = argument(given, 2, "count");
    return replaced(text, [shown(old), shown(by)], count === undefined ? -1 : numberOf(count, "count"), given.budget);
  }),
  reverse: (value) =>
    typeof value === "string" ? Array.from(value).toReversed().join("") : [...itemsOf(value)].toReversed(),
  round: rounded,
  safe: same,
  sort: sorted,
  string: onText((text) => text),
  sum: onItems((items) => items.reduce<number>((sum, item) => sum + numberOf(item, "an item of sum"), 0)),
  title: onText(title),
  tojson: json,
  trim: onText((text, given) => stripped(text, argument(given, 0, "chars"), "both")),
  unique: onItems(unique),
  upper: onText((text) => text.toUpperCase()),
  urlencode: onText((text) => encodeURIComponent(text.toWellFormed()).replaceAll("%2F", "/")),
  wordcount: onText((text) => text.match(/\w+/g)?.length ?? 0),
};

const ordered =
  (holds: (order: number) => boolean) =>
  (value: Value, [other = null]: readonly Value[]): boolean =>
    holds(compared(value, other));

const equal = (value: Value, [other = null]: readonly Value[]): boolean => equals(value, other);
const isNumber = (value: Value): value is number => typeof value === "number";
const isMissing = (value: Value): boolean => value instanceof Missing;
const [less, lessOrEqual] = [ordered((order) => order < 0), ordered((order) => order <= 0)];
const [greater, greaterOrEqual] = [ordered((order) => order > 0), ordered((order) => order >= 0)];

/** Tests that can follow `is`. */
export const tests: Readonly<Record<string, (value: Value, given: readonly Value[]) => boolean>> = {
  "==": equal,
  boolean: (value) => typeof value === "boolean",
  callable: () => false,
  defined: (value) => !isMissing(value),
  divisibleby: (value, [by = 1]) => numberOf(value, "the value") % numberOf(by, "the divisor") === 0,
  eq: equal,
  equalto: equal,
  even: (value) => numberOf(value, "the value") % 2 === 0,
  false: (value) => value === false,
  float: (value) => isNumber(value) && !Number.isInteger(value),
  ge: greaterOrEqual,
  greaterthan: greater,
  gt: greater,
  in: (value, [of = []]) => contains(of, value),
  integer: (value) => Number.isInteger(value),
  iterable: (value) => typeof value === "string" || isList(value) || isMap(value),
  le: lessOrEqual,
  lessthan: less,
  lower: (value) => shown(value) === shown(value).toLowerCase(),
  lt: less,
  mapping: isMap,
  ne: (value, given) => !equal(value, given),
  none: (value) => value === null,
  number: isNumber,
  odd: (value) => numberOf(value, "the value") % 2 !== 0,
  sequence: (value) => typeof value === "string" || isList(value) || isMap(value),
  string: (value) => typeof value === "string",
  true: (value) => value === true,
  undefined: isMissing,
  upper: (value) => shown(value) === shown(value).toUpperCase(),
};

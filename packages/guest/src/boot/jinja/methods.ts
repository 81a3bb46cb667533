import { own } from "@capstan/schema";
import { argument, type Given } from "./arguments.ts";
import { filled, joined, replaced, split, stripped } from "./texts.ts";
import { equals, isList, isMap, itemsOf, Missing, numberOf, shown, textOf, type Value } from "./value.ts";

type Method<Of> = (of: Of, given: Given) => Value;

const texts = (value: Value, what: string): readonly string[] =>
  isList(value) ? value.map((each) => textOf(each, what)) : [textOf(value, what)];

const first = (given: Given): Value => argument(given, 0, "") ?? "";

const strip =
  (side: "both" | "left" | "right"): Method<string> =>
  (text, given) =>
    stripped(text, argument(given, 0, "chars"), side);

const count = (value: Value | undefined): number => (value === undefined ? -1 : numberOf(value, "the count"));

/** The methods of Python's texts that are modelled. */
const ofTexts: Readonly<Record<string, Method<string>>> = {
  capitalize: (text) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase(),
  endswith: (text, given) => texts(first(given), "the end").some((end) => text.endsWith(end)),
  find: (text, given) => text.indexOf(textOf(first(given), "what is looked for")),
  isdigit: (text) => /^\p{Nd}+$/u.test(text),
  join: (text, given) => joined(text, itemsOf(first(given)), given.budget),
  lower: (text) => text.toLowerCase(),
  lstrip: strip("left"),
  replace: (text, given) => {
    const [old, by] = [shown(first(given)), shown(argument(given, 1, "") ?? "")];
    return replaced(text, [old, by], count(argument(given, 2, "count")), given.budget);
  },
  rstrip: strip("right"),
  split: (text, given) => split(text, argument(given, 0, "sep"), count(argument(given, 1, "maxsplit"))),
  splitlines: (text) => text.replace(/\r?\n$/, "").split(/\r?\n/),
  startswith: (text, given) => texts(first(given), "the begin").some((begin) => text.startsWith(begin)),
  strip: strip("both"),
  upper: (text) => text.toUpperCase(),
  zfill: (text, given) => filled("0", numberOf(first(given), "the width") - text.length, given.budget) + text,
};

const ofMaps: Readonly<Record<string, Method<ReadonlyMap<string, Value>>>> = {
  get: (map, given) => map.get(shown(first(given))) ?? argument(given, 1, "") ?? null,
  items: (map) => [...map].map((pair) => pair),
  keys: (map) => [...map.keys()],
  values: (map) => [...map.values()],
};

const ofLists: Readonly<Record<string, Method<readonly Value[]>>> = {
  count: (list, given) => list.filter((item) => equals(item, first(given))).length,
  index: (list, given) => list.findIndex((item) => equals(item, first(given))),
};

/** Calls what a value has by a name, of those methods that are modelled. Throws for any other. */
export const callMethod = (of: Value, name: string, given: Given): Value => {
  if (of instanceof Missing) throw new Error(`'${of.name}' is undefined`);
  const method =
    typeof of === "string"
      ? bound(ofTexts, name, of)
      : isMap(of)
        ? bound(ofMaps, name, of)
        : isList(of)
          ? bound(ofLists, name, of)
          : undefined;
  if (method === undefined) throw new Error(`there is no method ${name}`);
  return method(given);
};

const bound = <Of>(
  methods: Readonly<Record<string, Method<Of>>>,
  name: string,
  of: Of,
): ((given: Given) => Value) | undefined => {
  const method = own(methods, name);
  return method && ((given) => method(of, given));
};

const range = ({ budget, positional }: Given): Value => {
  const numbers = positional.map((value) => numberOf(value, "a bound of range"));
  const [begin, end, by] =
    numbers.length === 1 ? [0, numbers[0] ?? 0, 1] : [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 1];
  if (by === 0) throw new Error("range goes in steps of 0");
  const length = Math.max(0, Math.ceil((end - begin) / by));
  budget.pay(length);
  return Array.from({ length }, (_, index) => begin + index * by);
};

/** Built-in functions by name; they are not variables. */
const functions: Readonly<Record<string, (given: Given) => Value>> = {
  dict: ({ named }) => new Map(named),
  range,
};

/** Calls a function of Jinja's own. Throws for those that are not modelled. */
export const callFunction = (name: string, given: Given): Value => {
  const called = own(functions, name);
  if (called === undefined) throw new Error(`'${name}' is undefined, or not modelled`);
  return called(given);
};

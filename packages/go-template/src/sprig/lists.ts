import {
  costing,
  define,
  defineRest,
  sizeOf,
  wholeSizeOf,
  type TemplateFunction,
  type TemplateFunctions,
} from "../functions/define.ts";
import { deepEqual } from "../values/compare.ts";
import { isList, isTrue } from "../values/kinds.ts";
import { bigOf, itemsOf, textOf, textsOf } from "./convert.ts";

const includes = (items: readonly unknown[], wanted: unknown): boolean => items.some((item) => deepEqual(wanted, item));

const unique = (items: readonly unknown[]): readonly unknown[] => {
  const found: unknown[] = [];
  for (const item of items) if (!includes(found, item)) found.push(item);
  return found;
};

/** Each item is held against each. */
const pairwise = (values: readonly unknown[]): number => 16 * sizeOf(values[0]) * wholeSizeOf(values);

const chunks = (size: number, items: readonly unknown[]): readonly unknown[] => {
  if (size < 1) throw new Error("Cannot chunk into parts of no size");
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
};

const sliced = (of: unknown, ...bounds: readonly unknown[]): unknown => {
  const items = itemsOf(of, "slice");
  if (items.length === 0) return null;
  const [start = 0, end = items.length] = bounds.map((bound) => Number(bigOf(bound)));
  if (start < 0 || end > items.length || start > end) throw new Error("slice bounds out of range");
  return items.slice(start, end);
};

const push = define(["any", "any"], (of, item) => [...itemsOf(of, "push"), item]);

/** Functions that have a second name with `must`: both fail with a message here. */
const both: TemplateFunctions = {
  append: push,
  chunk: define(["int", "any"], (size, of) => chunks(size, itemsOf(of, "chunk"))),
  compact: define(["any"], (of) => itemsOf(of, "compact").filter(isTrue)),
  first: define(["any"], (of) => itemsOf(of, "first")[0] ?? null),
  has: define(["any", "any"], (wanted, of) => of !== undefined && of !== null && includes(itemsOf(of, "has"), wanted)),
  initial: define(["any"], (of) => itemsOf(of, "initial").slice(0, -1)),
  last: define(["any"], (of) => itemsOf(of, "last").at(-1) ?? null),
  prepend: define(["any", "any"], (of, item) => [item, ...itemsOf(of, "prepend")]),
  push,
  rest: define(["any"], (of) => itemsOf(of, "rest").slice(1)),
  reverse: define(["any"], (of) => itemsOf(of, "reverse").toReversed()),
  slice: defineRest(["any"], "any", sliced),
  uniq: costing(
    pairwise,
    define(["any"], (of) => unique(itemsOf(of, "uniq"))),
  ),
  without: costing(
    (values) => 16 * values.length * wholeSizeOf(values),
    defineRest(["any"], "any", (of, ...unwanted) => itemsOf(of, "without").filter((item) => !includes(unwanted, item))),
  ),
};

const must = (functions: TemplateFunctions): readonly (readonly [string, TemplateFunction])[] =>
  Object.entries(functions).map(([name, of]) => [`must${name[0]!.toUpperCase()}${name.slice(1)}`, of]);

const list = defineRest([], "any", (...items) => items);

/** Functions about lists. */
export const listFunctions: TemplateFunctions = {
  ...both,
  ...Object.fromEntries(must(both)),
  concat: defineRest([], "any", (...lists) => lists.flatMap((of) => itemsOf(of, "concat"))),
  list,
  sortAlpha: costing(
    (values) => 30 * wholeSizeOf(values),
    define(["any"], (of) => (isList(of) ? textsOf(of).toSorted((a, b) => (a < b ? -1 : Number(a > b))) : [textOf(of)])),
  ),
  tuple: list,
};

import { isJsonObject, own } from "@capstan/schema";
import { violation } from "@capstan/simulation";

type Item = Readonly<Record<string, unknown>>;
type Test = (item: Item) => boolean;

const comparisons: Readonly<Record<string, (actual: unknown, wanted: never) => boolean>> = {
  "+neq": (actual, wanted: unknown) => actual !== wanted,
  "+gt": (actual, wanted: number) => (actual as number) > wanted,
  "+gte": (actual, wanted: number) => (actual as number) >= wanted,
  "+lt": (actual, wanted: number) => (actual as number) < wanted,
  "+lte": (actual, wanted: number) => (actual as number) <= wanted,
  "+contains": (actual, wanted: string) => typeof actual === "string" && actual.includes(wanted),
};

/** Applies an `X-Filter` header to a collection. Throws a violation for fields or operators the API does not know. */
export const applyFilter = <T extends object>(
  items: readonly T[],
  header: string,
  filterable: readonly string[],
): readonly T[] => {
  const parsed = parse(header);
  const { "+order_by": by, "+order": order, ...rest } = parsed;
  const test = conjunction(rest, filterable);
  const found = items.filter((item) => test(item as Item));
  if (by === undefined) {
    if (order !== undefined) throw violation("X-Filter: +order needs +order_by");
    return found;
  }
  if (typeof by !== "string" || !filterable.includes(by)) throw violation(`X-Filter: cannot order by ${String(by)}`);
  if (order !== undefined && order !== "asc" && order !== "desc") throw violation("X-Filter: +order is asc or desc");
  const sign = order === "desc" ? -1 : 1;
  return found.sort((a, b) => sign * compare(valueAt(a as Item, by), valueAt(b as Item, by)));
};

const parse = (header: string): Item => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(header);
  } catch (cause) {
    throw violation(`X-Filter is not JSON: ${String(cause)}`);
  }
  if (!isJsonObject(parsed)) throw violation("X-Filter must be an object");
  return parsed;
};

const conjunction = (filter: Item, filterable: readonly string[]): Test => {
  const tests = Object.entries(filter).map(([key, value]) => single(key, value, filterable));
  return (item) => tests.every((test) => test(item));
};

const single = (key: string, value: unknown, filterable: readonly string[]): Test => {
  if (key === "+and" || key === "+or") {
    if (!Array.isArray(value)) throw violation(`X-Filter: ${key} takes a list`);
    const tests = value.map((entry) => conjunction(parsed(entry), filterable));
    return (item) => (key === "+and" ? tests.every((test) => test(item)) : tests.some((test) => test(item)));
  }
  if (!filterable.includes(key)) throw violation(`X-Filter: cannot filter on ${key}`);
  if (!isJsonObject(value)) return (item) => matches(valueAt(item, key), value);
  const tests = Object.entries(value).map(([operator, wanted]) => {
    const compareWith = own(comparisons, operator);
    if (compareWith === undefined) throw violation(`X-Filter: unknown operator ${operator}`);
    return (actual: unknown) => compareWith(actual, wanted as never);
  });
  return (item) => tests.every((test) => test(valueAt(item, key)));
};

const parsed = (entry: unknown): Item => {
  if (!isJsonObject(entry)) throw violation("X-Filter: +and and +or take objects");
  return entry;
};

/** A list-valued field such as `tags` matches when it contains the value, or something of that label. */
const matches = (actual: unknown, wanted: unknown): boolean =>
  Array.isArray(actual)
    ? actual.some((each) => each === wanted || (isJsonObject(each) && each["label"] === wanted))
    : actual === wanted;

const valueAt = (item: Item, field: string): unknown =>
  field.split(".").reduce<unknown>((value, name) => (isJsonObject(value) ? value[name] : undefined), item);

const compare = (a: unknown, b: unknown): number =>
  (a as number | string) < (b as number | string) ? -1 : (a as number | string) > (b as number | string) ? 1 : 0;

import { own } from "@capstan/schema";
import { refusal } from "../arm/refusals.ts";
import { same } from "../resource-id.ts";
import type { Tags } from "../state.ts";

/** Fields that filters compare. */
export interface Filtered {
  readonly name: string;
  readonly type?: string;
  readonly group?: string;
  readonly location: string;
  readonly tags: Tags | undefined;
}

type Test = (item: Filtered) => boolean;

/** The fields of resources, as filters name them, in small letters. */
const fields: Readonly<Record<string, (item: Filtered) => string>> = {
  name: ({ name }) => name,
  location: ({ location }) => location,
  resourcetype: ({ type = "" }) => type,
  resourcegroup: ({ group = "" }) => group,
};

/** Names of tags are the same in any letter case, their values are not. */
const hasTag = ({ tags = {} }: Filtered, name: string, value: string | undefined): boolean =>
  Object.entries(tags).some(([key, held]) => same(key, name) && (value === undefined || held === value));

interface Clause {
  readonly field: string;
  readonly operator: string;
  readonly value: string;
}

const clauseOf = (text: string): Clause | undefined => {
  const [, field, operator, quoted] = /^(\w+)\s+(eq|ne)\s+'((?:[^']|'')*)'$/i.exec(text) ?? [];
  if (field !== undefined && operator !== undefined && quoted !== undefined) {
    return { field: field.toLowerCase(), operator: operator.toLowerCase(), value: quoted.replaceAll("''", "'") };
  }
  const [, part] = /^substringof\(\s*'((?:[^']|'')*)'\s*,\s*name\s*\)$/i.exec(text) ?? [];
  return part === undefined
    ? undefined
    : { field: "name", operator: "substringof", value: part.replaceAll("''", "'").toLowerCase() };
};

const testOf = ({ field, operator, value }: Clause): Test | undefined => {
  const read = own(fields, field);
  if (read === undefined) return undefined;
  if (operator === "substringof") return (item) => read(item).toLowerCase().includes(value);
  // Places are named as they are shown, too.
  const wanted = field === "location" ? value.replaceAll(" ", "") : value;
  return (item) => same(read(item), wanted) === (operator === "eq");
};

/** A tag and its value are one condition. */
const tagTest = (clauses: readonly Clause[]): Test | undefined => {
  const [name, ...names] = clauses.filter(({ field }) => field === "tagname");
  const [value, ...values] = clauses.filter(({ field }) => field === "tagvalue");
  const known = [name, value].every((clause) => clause === undefined || clause.operator === "eq");
  if (name === undefined || !known || names.length > 0 || values.length > 0) return undefined;
  return (item) => hasTag(item, name.value, value?.value);
};

/** The refusal of a `$filter` that a list does not have; `supported`: what it has instead. */
export const invalidFilter = (filter: string, supported?: string) => {
  const hint = supported === undefined ? "." : `: supported are ${supported}.`;
  const message = `Invalid $filter '${filter}' specified in the query string${hint}`;
  return refusal(400, "InvalidFilterInQueryString", message, "$filter");
};

const supported =
  "name, location, resourceType, resourceGroup (eq, ne), substringof('...', name), and tagName with tagValue (eq), joined by and";

/** Which of all a list has, by the `$filter` of its request. Throws the refusal of what is not known: a filter is never passed over. */
export const filterOf = (filter: string | undefined): Test => {
  if (filter === undefined || filter.trim() === "") return () => true;
  const clauses = filter
    .trim()
    .split(/\s+and\s+(?=(?:[^']*'[^']*')*[^']*$)/i)
    .map(clauseOf);
  if (clauses.includes(undefined)) throw invalidFilter(filter, supported);
  const known = clauses as readonly Clause[];
  const ofTags = known.filter(({ field }) => field.startsWith("tag"));
  const tests = [
    ...known.filter((clause) => !ofTags.includes(clause)).map(testOf),
    ...(ofTags.length === 0 ? [] : [tagTest(ofTags)]),
  ];
  if (tests.includes(undefined)) throw invalidFilter(filter, supported);
  return (item) => (tests as readonly Test[]).every((test) => test(item));
};

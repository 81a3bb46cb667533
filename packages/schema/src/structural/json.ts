import { isJsonObject, type JsonObject } from "../json-object.ts";
import { jsonText } from "./json-text.ts";

/** The own member of that name; names such as `constructor` and `__proto__` are names like any other. */
export const own = <T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;

/** JSON text with sorted members and no white space: equal values have equal texts. Members that are `undefined` are left out. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isJsonObject(value)) return jsonText(value) ?? "null";
  const members = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`);
  return `{${members.join(",")}}`;
};

/**
 * `object` with some members replaced, added or, where the change is `undefined`, removed; members keep their order.
 * Without changes it is the same object.
 */
export const withChanges = (object: JsonObject, changes: ReadonlyMap<string, unknown>): JsonObject => {
  if (changes.size === 0) return object;
  const members = new Map(Object.entries(object));
  for (const [name, value] of changes) {
    if (value === undefined) members.delete(name);
    else members.set(name, value);
  }
  return Object.fromEntries(members);
};

/** `list` with its items mapped; the same list if no item changed. */
export const mapItems = (
  list: readonly unknown[],
  change: (item: unknown, index: number) => unknown,
): readonly unknown[] => {
  const changed = list.map(change);
  return changed.every((item, index) => item === list[index]) ? list : changed;
};

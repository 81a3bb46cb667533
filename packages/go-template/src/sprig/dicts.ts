import { define, defineRest, type TemplateFunctions } from "../functions/define.ts";
import { isMap, isTrue, sortedKeys, type GoMap } from "../values/kinds.ts";
import { textOf } from "./convert.ts";

/** Templates change maps with `set` and the like, as in Go. */
const change = (map: GoMap, key: string, value: unknown): void => {
  Object.defineProperty(map, key, { value, configurable: true, enumerable: true, writable: true });
};

const dictionary = (...pairs: readonly unknown[]): GoMap => {
  const map = {};
  for (let index = 0; index < pairs.length; index += 2) {
    change(map, textOf(pairs[index]), index + 1 < pairs.length ? pairs[index + 1] : "");
  }
  return map;
};

const merged = (into: GoMap, from: GoMap, overwrites: boolean): void => {
  for (const key of Object.keys(from)) {
    const [old, value] = [Object.hasOwn(into, key) ? into[key] : undefined, from[key]];
    if (isMap(old) && isMap(value)) merged(old, value, overwrites);
    else if (overwrites ? isTrue(value) || !isTrue(old) : !isTrue(old)) change(into, key, value);
  }
};

const merging = (overwrites: boolean) =>
  defineRest(["map"], "map", (into, ...others) => {
    for (const other of others) merged(into, other, overwrites);
    return into;
  });

const dug = (...values: readonly unknown[]): unknown => {
  if (values.length < 3) throw new Error("dig needs at least three arguments");
  const keys = values.slice(0, -2);
  let at: unknown = values.at(-1);
  for (const key of keys) {
    if (typeof key !== "string" || !isMap(at)) throw new Error("dig needs keys and maps");
    if (!Object.hasOwn(at, key)) return values.at(-2);
    at = at[key];
  }
  return at;
};

const picked = (map: GoMap, keys: readonly string[]): GoMap =>
  Object.fromEntries(Object.entries(map).filter(([key]) => keys.includes(key)));

const copy = define(["any"], (value) => structuredCopy(value));

const structuredCopy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(structuredCopy);
  return isMap(value) ? Object.fromEntries(Object.entries(value).map(([key, of]) => [key, structuredCopy(of)])) : value;
};

/** Functions about maps. The order of keys is that of the alphabet, where Go's is by chance. */
export const dictFunctions: TemplateFunctions = {
  deepCopy: copy,
  dict: defineRest([], "any", dictionary),
  dig: defineRest([], "any", dug),
  get: define(["map", "string"], (map, key) => (Object.hasOwn(map, key) ? map[key] : "")),
  hasKey: define(["map", "string"], (map, key) => Object.hasOwn(map, key)),
  keys: defineRest([], "map", (...maps) => maps.flatMap(sortedKeys)),
  merge: merging(false),
  mergeOverwrite: merging(true),
  mustDeepCopy: copy,
  mustMerge: merging(false),
  mustMergeOverwrite: merging(true),
  omit: defineRest(["map"], "string", (map, ...keys) =>
    picked(
      map,
      Object.keys(map).filter((key) => !keys.includes(key)),
    ),
  ),
  pick: defineRest(["map"], "string", (map, ...keys) => picked(map, keys)),
  pluck: defineRest(["string"], "map", (key, ...maps) =>
    maps.filter((map) => Object.hasOwn(map, key)).map((map) => map[key]),
  ),
  set: define(["map", "string", "any"], (map, key, value) => {
    change(map, key, value);
    return map;
  }),
  unset: define(["map", "string"], (map, key) => {
    Reflect.deleteProperty(map, key);
    return map;
  }),
  values: define(["map"], (map) => sortedKeys(map).map((key) => map[key])),
};

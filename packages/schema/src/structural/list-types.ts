import { isJsonObject } from "../json-object.ts";
import { duplicate, invalid } from "./causes.ts";
import { own, canonicalJson } from "./json.ts";
import { childPath, indexPath, keyPath } from "./path.ts";
import type { Cause, StructuralSchema } from "./structural-schema.ts";

/** The identity of a list item: the whole item in a set, its key members in a map; `undefined` in an atomic list. */
export const itemIdentity = (schema: StructuralSchema): ((item: unknown) => unknown) | undefined => {
  const type = schema["x-kubernetes-list-type"];
  if (type === "set") return (item) => item;
  if (type !== "map") return undefined;
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  return (item) => (isJsonObject(item) ? Object.fromEntries(keys.map((key) => [key, own(item, key)])) : item);
};

const known = new WeakMap<StructuralSchema, boolean>();

/** Returns whether there can be a list anywhere in a value of the schema in which an item may not be repeated. */
const hasSuchLists = (schema: StructuralSchema): boolean => {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const { additionalProperties, items, properties = {} } = schema;
  const has =
    itemIdentity(schema) !== undefined ||
    (items !== undefined && hasSuchLists(items)) ||
    (typeof additionalProperties === "object" && hasSuchLists(additionalProperties)) ||
    Object.values(properties).some(hasSuchLists);
  known.set(schema, has);
  return has;
};

/** Repeated items of sets and maps, at the path of the later one. */
export const duplicates = (schema: StructuralSchema, value: unknown, path: string, found: Cause[] = []): Cause[] => {
  if (!hasSuchLists(schema)) return found;
  if (Array.isArray(value)) {
    const identity = itemIdentity(schema);
    const seen = new Set<string>();
    const isKeyed = schema["x-kubernetes-list-type"] === "map";
    const stray = isKeyed ? value.findIndex((item) => item !== null && !isJsonObject(item)) : -1;
    if (stray !== -1) {
      found.push(invalid(indexPath(path, stray), value[stray], "must be an object in a list of type map"));
      return found;
    }
    for (const [index, item] of value.entries()) {
      const at = indexPath(path, index);
      if (identity !== undefined && !(isKeyed && item === null)) {
        const id = identity(item);
        const text = canonicalJson(id);
        if (seen.has(text)) found.push(duplicate(at, id));
        seen.add(text);
      }
      if (schema.items !== undefined) duplicates(schema.items, item, at, found);
    }
  } else if (isJsonObject(value)) {
    const { additionalProperties } = schema;
    for (const [name, member] of Object.entries(value)) {
      const property = own(schema.properties, name);
      if (property !== undefined) duplicates(property, member, childPath(path, name), found);
      else if (typeof additionalProperties === "object") {
        duplicates(additionalProperties, member, keyPath(path, name), found);
      }
    }
  }
  return found;
};

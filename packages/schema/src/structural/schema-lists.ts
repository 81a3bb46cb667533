import { forbidden, invalid, notSupported, required } from "./causes.ts";
import { own } from "./json.ts";
import { childPath, keyPath } from "./path.ts";
import type { Cause, StructuralSchema } from "./structural-schema.ts";

const listType = "x-kubernetes-list-type";
const mapKeys = "x-kubernetes-list-map-keys";

/** The rules about list types. */
export const checkLists = (schema: StructuralSchema, path: string, causes: Cause[]): void => {
  const type = schema[listType];
  const keys = schema[mapKeys] ?? [];
  if (type !== undefined && type !== "atomic" && type !== "set" && type !== "map") {
    causes.push(notSupported(childPath(path, listType), type, ["atomic", "map", "set"]));
  }
  if (type !== undefined && schema.type !== "array") {
    const at = childPath(path, "type");
    const detail = `must be array if ${listType} is specified`;
    causes.push(schema.type === undefined ? required(at, detail) : invalid(at, schema.type, detail));
  }
  if (keys.length > 0 && type !== "map") {
    const at = childPath(path, listType);
    const detail = `must be map if ${mapKeys} is non-empty`;
    causes.push(type === undefined ? required(at, detail) : invalid(at, type, detail));
  }
  if (type === "map") checkMapList(schema, keys, path, causes);
  if (type === "set") checkSetItems(schema, path, causes);
};

const checkMapList = ({ items }: StructuralSchema, keys: readonly string[], path: string, causes: Cause[]): void => {
  const atKeys = childPath(path, mapKeys);
  const atItems = childPath(path, "items");
  if (keys.length === 0) causes.push(required(atKeys, `must not be empty if ${listType} is map`));
  if (new Set(keys).size < keys.length) causes.push(invalid(atKeys, keys, "must not contain duplicate entries"));
  if (items === undefined) return;
  if (items.type !== "object") {
    const detail = `must be object if parent array's ${listType} is map`;
    causes.push(invalid(childPath(atItems, "type"), items.type ?? "", detail));
    return;
  }
  if (items.nullable === true) {
    causes.push(forbidden(childPath(atItems, "nullable"), `cannot be nullable when ${listType} is map`));
  }
  for (const key of keys) {
    const property = own(items.properties, key);
    const at = keyPath(childPath(atItems, "properties"), key);
    if (property === undefined) {
      causes.push(invalid(atKeys, keys, "entries must all be names of item properties"));
    } else if (property.type === "array" || property.type === "object") {
      causes.push(invalid(childPath(at, "type"), property.type, `must be a scalar type if named in ${mapKeys}`));
    } else if (property.nullable === true) {
      causes.push(forbidden(childPath(at, "nullable"), `cannot be nullable if named in ${mapKeys}`));
    } else if (property.default === undefined && items.required?.includes(key) !== true) {
      const detail = `this property is in ${mapKeys}, so it must have a default or be a required property`;
      causes.push(required(childPath(at, "default"), detail));
    }
  }
};

const checkSetItems = ({ items }: StructuralSchema, path: string, causes: Cause[]): void => {
  if (items === undefined) return;
  const at = childPath(path, "items");
  if (items.nullable === true) {
    causes.push(forbidden(childPath(at, "nullable"), `cannot be nullable when ${listType} is set`));
  }
  if (items.type === "object" && items["x-kubernetes-map-type"] !== "atomic") {
    const detail = `must be atomic as item of a list with ${listType}=set`;
    causes.push(invalid(childPath(at, "x-kubernetes-map-type"), items["x-kubernetes-map-type"] ?? "", detail));
  }
  if (items.type === "array" && items[listType] !== undefined && items[listType] !== "atomic") {
    const detail = `must be atomic as item of a list with ${listType}=set`;
    causes.push(invalid(childPath(at, listType), items[listType], detail));
  }
};

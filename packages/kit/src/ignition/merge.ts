import { isJsonObject, type JsonObject } from "@capstan/schema";

/** By what the items of a list are known, by the path of the list; of the others each stands for itself. */
const keys: Readonly<Record<string, readonly string[]>> = {
  "passwd.groups": ["name"],
  "passwd.users": ["name"],
  "storage.directories": ["path"],
  "storage.disks": ["device"],
  "storage.disks.partitions": ["number", "label"],
  "storage.files": ["path"],
  "storage.filesystems": ["device"],
  "storage.links": ["path"],
  "storage.luks": ["name"],
  "storage.raid": ["name"],
  "systemd.units": ["name"],
  "systemd.units.dropins": ["name"],
};

/** Paths that a merge replaces as a whole. */
const whole: readonly string[] = ["storage.files.contents", "storage.luks.keyFile", "ignition.config.replace"];

const keyOf = (item: unknown, names: readonly string[]): string | undefined => {
  if (!isJsonObject(item)) return undefined;
  const name = names.find((each) => item[each] !== undefined && item[each] !== 0 && item[each] !== "");
  return name === undefined ? undefined : `${name}=${String(item[name])}`;
};

const mergedLists = (base: readonly unknown[], more: readonly unknown[], path: string): readonly unknown[] => {
  const names = keys[path];
  if (names === undefined) {
    const texts = new Set(base.map((item) => JSON.stringify(item)));
    return [...base, ...more.filter((item) => typeof item !== "string" || !texts.has(JSON.stringify(item)))];
  }
  const merged: unknown[] = [];
  const places = new Map<string, number>();
  const add = (item: unknown, key: string | undefined): void => {
    if (key !== undefined && !places.has(key)) places.set(key, merged.length);
    merged.push(item);
  };
  for (const item of base) add(item, keyOf(item, names));
  for (const item of more) {
    const key = keyOf(item, names);
    const index = key === undefined ? undefined : places.get(key);
    if (index === undefined) add(item, key);
    else merged[index] = mergedObjects(merged[index] as JsonObject, item as JsonObject, path);
  }
  return merged;
};

const mergedObjects = (base: JsonObject, more: JsonObject, path: string): JsonObject => {
  const result: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(more)) {
    const before = base[name];
    const inner = path === "" ? name : `${path}.${name}`;
    if (Array.isArray(before) && Array.isArray(value)) result[name] = mergedLists(before, value, inner);
    else if (isJsonObject(before) && isJsonObject(value) && !whole.includes(inner)) {
      result[name] = mergedObjects(before, value, inner);
    } else result[name] = value;
  }
  return result;
};

/** Two configs of Ignition 3 as one, as Ignition merges them: what has the same name is one thing, of which the second says more. */
export const mergedConfigs = (base: JsonObject, more: JsonObject): JsonObject => mergedObjects(base, more, "");

/** Two configs of Ignition 2 as one, as Ignition appends them: one list after the other. */
export const appendedConfigs = (base: JsonObject, more: JsonObject): JsonObject => {
  const result: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(more)) {
    const before = base[name];
    if (Array.isArray(before) && Array.isArray(value)) {
      result[name] = [...(before as unknown[]), ...(value as unknown[])];
    } else {
      result[name] = isJsonObject(before) && isJsonObject(value) ? appendedConfigs(before, value) : value;
    }
  }
  return result;
};

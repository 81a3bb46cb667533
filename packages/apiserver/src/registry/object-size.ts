import { isJsonObject, type KubeObject, type MutableJson, type StructuralSchema } from "@capstan/schema";
import { memberSchema, shapeOf } from "../apply/shape.ts";
import { requestTooLarge } from "../model/status-error.ts";

/**
 * Maximum number of characters in the managed fields of a sole manager: about the space that the fields themselves leave in the 1.5 MiB
 * that Kubernetes stores of an object.
 */
const maximumRecord = 2 ** 20;
/** Characters that a field takes there in addition to its name. */
const fieldCharacters = 9;
/** Characters that a list item with an owner of its own takes. Its keys have any length; it costs as much work as several fields. */
const itemCharacters = 70;
/** Maximum number of characters in all names and texts, as in a body; no patch may make an object larger than a client could send. */
const maximumCharacters = 3 * 2 ** 20;

interface Size {
  /** Members and items of lists that have owners of their own. */
  fields: number;
  /** All members and items of lists, of every owner. */
  values: number;
  record: number;
  characters: number;
}

/** Nothing of an object. */
const nothing: Size = { fields: 0, values: 0, record: 0, characters: 0 };

/** Sizes of wide parts, which stay what they are through all steps of a write. */
const known = new WeakMap<object, { readonly schema: StructuralSchema | undefined; readonly size: Size }>();
const wide = 500;

const add = (size: Size, value: unknown, schema: StructuralSchema | undefined, isOwned: boolean): void => {
  if (typeof value === "string") {
    size.characters += value.length;
  } else if (Array.isArray(value)) {
    addList(size, value, schema, isOwned);
  } else if (isJsonObject(value)) {
    addMembers(size, value, schema, isOwned && shapeOf(value, schema) === "map");
  }
};

const addList = (
  size: Size,
  list: readonly unknown[],
  schema: StructuralSchema | undefined,
  isOwned: boolean,
): void => {
  const isKeyed = isOwned && shapeOf(list, schema) === "list";
  size.values += list.length;
  if (isKeyed) {
    size.fields += list.length;
    size.record += list.length * itemCharacters;
  }
  for (const item of list) {
    add(size, item, schema?.items, isKeyed);
  }
};

const addMembers = (size: Size, object: MutableJson, schema: StructuralSchema | undefined, isMap: boolean): void => {
  const before = known.get(object);
  if (isMap && before !== undefined && before.schema === schema) {
    size.fields += before.size.fields;
    size.values += before.size.values;
    size.record += before.size.record;
    size.characters += before.size.characters;
    return;
  }
  const names = Object.keys(object);
  const own: Size = names.length > wide ? { ...nothing } : size;
  own.fields += isMap ? names.length : 0;
  own.values += names.length;
  for (const name of names) {
    own.characters += name.length;
    own.record += isMap ? name.length + fieldCharacters : 0;
    add(own, object[name], memberSchema(schema, name), isMap);
  }
  if (own === size) {
    return;
  }
  size.fields += own.fields;
  size.values += own.values;
  size.record += own.record;
  size.characters += own.characters;
  if (isMap) {
    known.set(object, { schema, size: own });
  }
};

const sizeOf = (object: unknown, schema: StructuralSchema): Size => {
  const size: Size = { ...nothing };
  if (!isJsonObject(object) || !isJsonObject(object["metadata"])) {
    add(size, object, schema, true);
    return size;
  }
  const { managedFields: _, ...metadata } = object["metadata"];
  add(size, { ...object, metadata }, schema, true);
  return size;
};

/**
 * Size class of an object, for its processing: `light` ones are processed at once; between the steps for a `large` one others are
 * served, as each takes some ten milliseconds; the steps for a `long` one take more than that, and run in a thread.
 */
export type Weight = "light" | "large" | "long";

const weightBy = ({ fields, values, characters }: Size): Weight => {
  // Without owners of their own, values cost decoding and validation alone.
  if (fields > 4_000 || values > 12_000) return "long";
  return fields > 1_500 || values > 4_000 || characters > 2 ** 18 ? "large" : "light";
};

/** Returns the weight of an object, even of one that is too large. */
export const weightOf = (schema: StructuralSchema, object: unknown): Weight => weightBy(sizeOf(object, schema));

/** Throws a 413 for an object that is too large to be worked on, unless it was as large before. */
export const checkObjectSize = (
  schema: StructuralSchema,
  object: unknown,
  live: () => KubeObject | undefined = () => undefined,
): Weight => {
  const size = sizeOf(object, schema);
  const { record, characters } = size;
  if (record <= maximumRecord && characters <= maximumCharacters) {
    return weightBy(size);
  }
  const former = live();
  const before = former === undefined ? nothing : sizeOf(former, schema);
  if (record > Math.max(maximumRecord, before.record)) {
    throw requestTooLarge(
      `the record of who owns the fields of an object may take ${maximumRecord} characters, and that of this one, which has ${size.fields} fields, takes ${record}`,
    );
  }
  if (characters > Math.max(maximumCharacters, before.characters)) {
    throw requestTooLarge(`the texts of an object may have at most ${maximumCharacters} characters together`);
  }
  return weightBy(size);
};

import { isJsonObject, type KubeObject, type StructuralSchema } from "@capstan/schema";
import { memberSchema, shapeOf } from "../apply/shape.ts";
import { requestTooLarge } from "../model/status-error.ts";

/** Members and list elements that have owners of their own: each costs about ten microseconds in every write. */
const maximumFields = 15_000;
/** Of all names and texts. As a body may have; a patch must not make an object larger than anybody could send it. */
const maximumCharacters = 3 * 2 ** 20;

interface Size {
  fields: number;
  characters: number;
}

const add = (size: Size, value: unknown, schema: StructuralSchema | undefined, isOwned: boolean): void => {
  if (typeof value === "string") {
    size.characters += value.length;
  } else if (Array.isArray(value)) {
    const isKeyed = isOwned && shapeOf(value, schema) === "list";
    if (isKeyed) {
      size.fields += value.length;
    }
    for (const item of value) {
      add(size, item, schema?.items, isKeyed);
    }
  } else if (isJsonObject(value)) {
    const isMap = isOwned && shapeOf(value, schema) === "map";
    const names = Object.keys(value);
    if (isMap) {
      size.fields += names.length;
    }
    for (const name of names) {
      size.characters += name.length;
      add(size, value[name], memberSchema(schema, name), isMap);
    }
  }
};

const sizeOf = (object: unknown, schema: StructuralSchema): Size => {
  const size: Size = { fields: 0, characters: 0 };
  if (!isJsonObject(object) || !isJsonObject(object["metadata"])) {
    add(size, object, schema, true);
    return size;
  }
  const { managedFields: _, ...metadata } = object["metadata"];
  add(size, { ...object, metadata }, schema, true);
  return size;
};

/** Each step of the work on a larger one takes some ten milliseconds. */
const isLarge = ({ fields, characters }: Size): boolean => fields > 1_500 || characters > 2 ** 18;

/**
 * Throws a 413 for an object that is too large to be worked on, unless it was as large before. Answers whether it is so large that others are
 * to be served between the steps of the work.
 */
export const checkObjectSize = (schema: StructuralSchema, object: unknown, live?: KubeObject): boolean => {
  const size = sizeOf(object, schema);
  const { fields, characters } = size;
  if (fields <= maximumFields && characters <= maximumCharacters) {
    return isLarge(size);
  }
  const before = live === undefined ? { fields: 0, characters: 0 } : sizeOf(live, schema);
  if (fields > Math.max(maximumFields, before.fields)) {
    throw requestTooLarge(`an object may have at most ${maximumFields} fields, and this one has ${fields}`);
  }
  if (characters > Math.max(maximumCharacters, before.characters)) {
    throw requestTooLarge(`the texts of an object may have at most ${maximumCharacters} characters together`);
  }
  return true;
};

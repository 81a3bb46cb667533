import { isJsonObject, type MutableJson, own, sameJson } from "@capstan/schema";
import type { StructuralSchema } from "@capstan/schema/structural";
import { emptySet, fieldSet, isEmptySet, leafSet } from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";
import { fieldElement } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";
import { elementsOf, isDeclared, memberSchema, shapeOf } from "./shape.ts";

type Schema = StructuralSchema | undefined;

/** Differences between two objects. An added or removed map is a path of its own, in addition to its members. */
export interface Changes {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

const noChanges: Changes = { added: emptySet, modified: emptySet, removed: emptySet };

/** Compares path by path as the schema types them; `undefined` stands for an absent object. */
export const compare = (before: unknown, after: unknown, schema: Schema): Changes => {
  if (before === after) {
    return noChanges;
  }
  if (before === undefined || after === undefined) {
    const all = everyPath(before ?? after, schema);
    return before === undefined ? { ...noChanges, added: all } : { ...noChanges, removed: all };
  }
  const [left, right] = [shapeOf(before, schema), shapeOf(after, schema)];
  if (left === "leaf" && right === "leaf") {
    return sameJson(before, after) ? noChanges : { ...noChanges, modified: leafSet };
  }
  if (left === "map" && right === "map") {
    return compareMaps(before as MutableJson, after as MutableJson, schema);
  }
  if (left === "list" && right === "list") {
    return compareLists(before as readonly unknown[], after as readonly unknown[], schema);
  }
  return {
    added: fieldSet(false, everyPath(after, schema).children),
    modified: leafSet,
    removed: fieldSet(false, everyPath(before, schema).children),
  };
};

/** Collects the changes of children under their path elements. */
const collector = () => {
  const sets = {
    added: new Map<PathElement, FieldSet>(),
    modified: new Map<PathElement, FieldSet>(),
    removed: new Map<PathElement, FieldSet>(),
  };
  return {
    add: (element: PathElement, changes: Changes): void => {
      for (const kind of ["added", "modified", "removed"] as const) {
        if (!isEmptySet(changes[kind])) {
          sets[kind].set(element, changes[kind]);
        }
      }
    },
    changes: (): Changes => ({
      added: fieldSet(false, sets.added),
      modified: fieldSet(false, sets.modified),
      removed: fieldSet(false, sets.removed),
    }),
  };
};

const compareMaps = (before: MutableJson, after: MutableJson, schema: Schema): Changes => {
  const found = collector();
  const look = (name: string): void => {
    const changes = compare(own(before, name), own(after, name), memberSchema(schema, name));
    if (changes !== noChanges) {
      found.add(fieldElement(name), changes);
    }
  };
  for (const name of Object.keys(after)) {
    look(name);
  }
  for (const name of Object.keys(before)) {
    if (!Object.hasOwn(after, name)) {
      look(name);
    }
  }
  return found.changes();
};

const compareLists = (before: readonly unknown[], after: readonly unknown[], schema: Schema): Changes => {
  const found = collector();
  const [left, right] = [elementsOf(before, schema), elementsOf(after, schema)];
  for (const element of new Set([...left.keys(), ...right.keys()])) {
    found.add(element, compare(left.get(element), right.get(element), schema?.items));
  }
  return found.changes();
};

/** A value's own path and every path below. */
const everyPath = (value: unknown, schema: Schema): FieldSet => {
  const children = new Map<PathElement, FieldSet>();
  switch (shapeOf(value, schema)) {
    case "map":
      for (const name of Object.keys(value as MutableJson)) {
        children.set(fieldElement(name), everyPath((value as MutableJson)[name], memberSchema(schema, name)));
      }
      break;
    case "list":
      for (const [element, item] of elementsOf(value as readonly unknown[], schema)) {
        children.set(element, everyPath(item, schema?.items));
      }
      break;
    default:
  }
  return fieldSet(true, children);
};

/**
 * The paths an applied configuration claims: leafs, elements of lists, keys of maps, empty maps and nulls. Objects that the
 * schema names and lists as such are not claimed.
 */
export const claimedPaths = (value: unknown, schema: Schema): FieldSet => {
  const children = new Map<PathElement, FieldSet>();
  const claim = (element: PathElement, child: unknown, childSchema: Schema, always: boolean): void => {
    const below = claimedPaths(child, childSchema);
    const claimed = always || below.member || isEmptyMap(child);
    if (claimed || below.children.size > 0) {
      children.set(element, fieldSet(claimed, below.children));
    }
  };
  switch (shapeOf(value, schema)) {
    case "map":
      for (const name of Object.keys(value as MutableJson)) {
        claim(fieldElement(name), (value as MutableJson)[name], memberSchema(schema, name), !isDeclared(schema, name));
      }
      return fieldSet(false, children);
    case "list":
      for (const [element, item] of elementsOf(value as readonly unknown[], schema)) {
        claim(element, item, schema?.items, true);
      }
      return fieldSet(false, children);
    default:
      return leafSet;
  }
};

const isEmptyMap = (value: unknown): boolean => isJsonObject(value) && Object.keys(value).length === 0;

import type { StructuralSchema } from "@capstan/schema/structural";
import { isJsonObject, jsonEqual } from "../patch/json-value.ts";
import { emptySet, fieldSet, isEmptySet, leafSet } from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";
import type { PathElement } from "./path-element.ts";
import { childrenOf, shapeOf } from "./shape.ts";

/** What differs between two objects. A map that appears or vanishes is a path of its own besides its members. */
export interface Changes {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

const noChanges: Changes = { added: emptySet, modified: emptySet, removed: emptySet };

/** Compares path by path as the schema types them; `undefined` stands for an absent object. */
export const compare = (before: unknown, after: unknown, schema: StructuralSchema | undefined): Changes => {
  if (before === after) {
    return noChanges;
  }
  if (before === undefined || after === undefined) {
    const all = everyPath(before ?? after, schema);
    return before === undefined ? { ...noChanges, added: all } : { ...noChanges, removed: all };
  }
  const [left, right] = [childrenOf(before, schema), childrenOf(after, schema)];
  const sameShape = shapeOf(before, schema) === shapeOf(after, schema);
  const changes = compareChildren(left, right);
  if (sameShape && (left.size > 0 || right.size > 0)) {
    return changes;
  }
  return jsonEqual(before, after) ? noChanges : { ...changes, modified: fieldSet(true, changes.modified.children) };
};

type Children = ReturnType<typeof childrenOf>;

const compareChildren = (left: Children, right: Children): Changes => {
  const sets = {
    added: new Map<PathElement, FieldSet>(),
    modified: new Map<PathElement, FieldSet>(),
    removed: new Map<PathElement, FieldSet>(),
  };
  for (const element of new Set([...left.keys(), ...right.keys()])) {
    const [from, to] = [left.get(element), right.get(element)];
    const changes = compare(from?.value, to?.value, (from ?? to)?.schema);
    for (const kind of ["added", "modified", "removed"] as const) {
      if (!isEmptySet(changes[kind])) {
        sets[kind].set(element, changes[kind]);
      }
    }
  }
  return {
    added: fieldSet(false, sets.added),
    modified: fieldSet(false, sets.modified),
    removed: fieldSet(false, sets.removed),
  };
};

/** A value's own path and every path below. */
const everyPath = (value: unknown, schema: StructuralSchema | undefined): FieldSet => {
  const children = [...childrenOf(value, schema)].map(
    ([element, child]) => [element, everyPath(child.value, child.schema)] as const,
  );
  return children.length === 0 ? leafSet : fieldSet(true, new Map(children));
};

/**
 * The paths an applied configuration claims: leafs, elements of lists, keys of maps, empty maps and nulls. Objects that the
 * schema names and lists as such are not claimed.
 */
export const claimedPaths = (value: unknown, schema: StructuralSchema | undefined): FieldSet => {
  const shape = shapeOf(value, schema);
  if (shape === "leaf") {
    return leafSet;
  }
  const children = new Map<PathElement, FieldSet>();
  for (const [element, child] of childrenOf(value, schema)) {
    const below = claimedPaths(child.value, child.schema);
    const claimed = below.member || isEmptyMap(child.value) || !child.declared;
    if (claimed || below.children.size > 0) {
      children.set(element, fieldSet(claimed, below.children));
    }
  }
  return fieldSet(false, children);
};

const isEmptyMap = (value: unknown): boolean => isJsonObject(value) && Object.keys(value).length === 0;

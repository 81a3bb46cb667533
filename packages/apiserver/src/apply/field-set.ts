import { isJsonObject } from "@capstan/schema";
import { displayElement, parsePathElement } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";

/**
 * A set of paths as a tree. `member`: the path that leads here is in the set. The root stands for the empty path and is never a
 * member. No child is empty.
 */
export interface FieldSet {
  readonly member: boolean;
  readonly children: ReadonlyMap<PathElement, FieldSet>;
}

const noChildren: ReadonlyMap<PathElement, FieldSet> = new Map();

export const emptySet: FieldSet = { member: false, children: noChildren };
/** Only the path itself. */
export const leafSet: FieldSet = { member: true, children: noChildren };

export const fieldSet = (member: boolean, children: ReadonlyMap<PathElement, FieldSet>): FieldSet =>
  children.size === 0 ? (member ? leafSet : emptySet) : { member, children };

export const isEmptySet = (set: FieldSet): boolean => !set.member && set.children.size === 0;

/** All paths of both. Is `left` itself when `right` adds nothing. */
export const union = (left: FieldSet, right: FieldSet): FieldSet => {
  if (left === right || isEmptySet(right)) {
    return left;
  }
  if (isEmptySet(left)) {
    return right;
  }
  let children: Map<PathElement, FieldSet> | undefined;
  for (const [element, child] of right.children) {
    const known = left.children.get(element);
    const merged = known === undefined ? child : union(known, child);
    if (merged !== known) {
      children ??= new Map(left.children);
      children.set(element, merged);
    }
  }
  const member = left.member || right.member;
  return children === undefined && member === left.member ? left : fieldSet(member, children ?? left.children);
};

/** The paths in both. */
export const intersection = (left: FieldSet, right: FieldSet): FieldSet => {
  if (left === right) {
    return left;
  }
  const [small, large] = left.children.size < right.children.size ? [left, right] : [right, left];
  const children = new Map<PathElement, FieldSet>();
  for (const [element, child] of small.children) {
    const common = intersection(child, large.children.get(element) ?? emptySet);
    if (!isEmptySet(common)) {
      children.set(element, common);
    }
  }
  return fieldSet(left.member && right.member, children);
};

/** The paths of `left` that are not in `right`. Is `left` itself when none is. */
export const difference = (left: FieldSet, right: FieldSet): FieldSet => {
  let children: Map<PathElement, FieldSet> | undefined;
  for (const [element, child] of right.children) {
    const known = left.children.get(element);
    const rest = known === undefined ? undefined : difference(known, child);
    if (rest !== undefined && rest !== known) {
      children ??= new Map(left.children);
      if (isEmptySet(rest)) {
        children.delete(element);
      } else {
        children.set(element, rest);
      }
    }
  }
  const member = left.member && !right.member;
  return children === undefined && member === left.member ? left : fieldSet(member, children ?? left.children);
};

export const equalSets = (left: FieldSet, right: FieldSet): boolean =>
  left === right ||
  (left.member === right.member &&
    left.children.size === right.children.size &&
    [...left.children].every(([element, child]) => {
      const other = right.children.get(element);
      return other !== undefined && equalSets(child, other);
    }));

/** The set without the given children and everything below them. */
export const withoutChildren = (set: FieldSet, names: readonly PathElement[]): FieldSet =>
  names.some((name) => set.children.has(name))
    ? fieldSet(set.member, new Map([...set.children].filter(([element]) => !names.includes(element))))
    : set;

/** All paths as text such as `.spec.ports[port=80].name`: of one level first the members, then what lies below. */
export const pathsOf = (set: FieldSet, prefix = ""): readonly string[] => {
  const children = sortedChildren(set);
  return [
    ...children.filter(([, child]) => child.member).map(([element]) => prefix + displayElement(element)),
    ...children.flatMap(([element, child]) => pathsOf(child, prefix + displayElement(element))),
  ];
};

const sortedChildren = ({ children }: FieldSet): readonly (readonly [PathElement, FieldSet])[] =>
  [...children.keys()].sort().map((element) => [element, children.get(element) ?? emptySet] as const);

type Fields = Readonly<Record<string, unknown>>;

const leafFields: Fields = Object.freeze({});
const encoded = new WeakMap<FieldSet, Fields>();

/** The JSON of `fieldsV1`, keys sorted; the same object for the same set. */
export const encodeFields = (set: FieldSet): Fields => {
  if (set.children.size === 0) {
    return leafFields;
  }
  const known = encoded.get(set);
  if (known !== undefined) {
    return known;
  }
  const fields: Record<string, unknown> = set.member ? { ".": leafFields } : {};
  for (const [element, child] of sortedChildren(set)) {
    fields[element] = encodeFields(child);
  }
  encoded.set(set, fields);
  return fields;
};

const decoded = new WeakMap<object, FieldSet>();

/** Reads `fieldsV1`; undefined when it is malformed. What was read once is remembered. */
export const decodeFields = (fields: unknown): FieldSet | undefined => {
  if (!isJsonObject(fields)) {
    return undefined;
  }
  const known = decoded.get(fields);
  if (known !== undefined) {
    return known;
  }
  const root = decodeNode(fields);
  const set = root === undefined ? undefined : fieldSet(false, root.children);
  if (set !== undefined && Object.isFrozen(fields)) {
    decoded.set(fields, set);
    encoded.set(set, fields);
  }
  return set;
};

const decodeNode = (fields: unknown): FieldSet | undefined => {
  if (!isJsonObject(fields)) {
    return undefined;
  }
  const keys = Object.keys(fields);
  if (keys.length === 0) {
    return leafSet;
  }
  const children = new Map<PathElement, FieldSet>();
  for (const key of keys) {
    if (key === ".") {
      continue;
    }
    const element = parsePathElement(key);
    const child = decodeNode(fields[key]);
    if (element === undefined || child === undefined) {
      return undefined;
    }
    children.set(element, child);
  }
  return fieldSet(Object.hasOwn(fields, "."), children);
};

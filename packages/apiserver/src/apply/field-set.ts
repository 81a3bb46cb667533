import { isJsonObject } from "../patch/json-value.ts";
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

/** Combines two sets path by path; `keep` says which paths stay. */
const combine = (left: FieldSet, right: FieldSet, keep: (left: boolean, right: boolean) => boolean): FieldSet => {
  const children = new Map<PathElement, FieldSet>();
  for (const element of new Set([...left.children.keys(), ...right.children.keys()])) {
    const child = combine(left.children.get(element) ?? emptySet, right.children.get(element) ?? emptySet, keep);
    if (!isEmptySet(child)) {
      children.set(element, child);
    }
  }
  return fieldSet(keep(left.member, right.member), children);
};

export const union = (left: FieldSet, right: FieldSet): FieldSet => {
  if (isEmptySet(left) || isEmptySet(right)) {
    return isEmptySet(left) ? right : left;
  }
  return combine(left, right, (inLeft, inRight) => inLeft || inRight);
};

export const intersection = (left: FieldSet, right: FieldSet): FieldSet =>
  isEmptySet(left) || isEmptySet(right) ? emptySet : combine(left, right, (inLeft, inRight) => inLeft && inRight);

export const difference = (left: FieldSet, right: FieldSet): FieldSet =>
  isEmptySet(left) || isEmptySet(right) ? left : combine(left, right, (inLeft, inRight) => inLeft && !inRight);

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
  const children = [...set.children].sort(([left], [right]) => (left < right ? -1 : 1));
  return [
    ...children.filter(([, child]) => child.member).map(([element]) => prefix + displayElement(element)),
    ...children.flatMap(([element, child]) => pathsOf(child, prefix + displayElement(element))),
  ];
};

/** The JSON of `fieldsV1`, keys sorted. */
export const encodeFields = (set: FieldSet): Record<string, unknown> => {
  const children = [...set.children]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([element, child]) => [element, encodeFields(child)] as const);
  const self = set.member && children.length > 0 ? [[".", {}] as const] : [];
  return Object.fromEntries([...self, ...children]);
};

/** Reads `fieldsV1`; undefined when it is malformed. */
export const decodeFields = (fields: unknown): FieldSet | undefined => {
  const root = decodeNode(fields);
  return root === undefined || root.children.size === 0 ? root && emptySet : { ...root, member: false };
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

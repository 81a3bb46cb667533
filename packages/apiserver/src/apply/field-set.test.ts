import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decodeFields,
  difference,
  emptySet,
  encodeFields,
  equalSets,
  fieldSet,
  intersection,
  isEmptySet,
  leafSet,
  pathsOf,
  union,
} from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";

const elements = fc.constantFrom("f:a", "f:b", 'k:{"name":"x","port":1}', 'v:"s"', "v:1.5", "i:0");
const sets: fc.Arbitrary<FieldSet> = fc
  .array(fc.array(elements, { minLength: 1, maxLength: 3 }), { maxLength: 6 })
  .map((paths) => paths.reduce((set, path) => union(set, setOf(path)), emptySet));

const setOf = (path: readonly string[]): FieldSet =>
  path.reduceRight((below, element) => fieldSet(false, new Map([[element, below]])), leafSet);

const same = (left: FieldSet, right: FieldSet): void => {
  expect(equalSets(left, right)).toBe(true);
};

describe("the algebra of field sets", () => {
  it("union and intersection commute, associate and absorb", () => {
    fc.assert(
      fc.property(sets, sets, sets, (a, b, c) => {
        same(union(a, b), union(b, a));
        same(intersection(a, b), intersection(b, a));
        same(union(a, union(b, c)), union(union(a, b), c));
        same(intersection(a, intersection(b, c)), intersection(intersection(a, b), c));
        same(union(a, intersection(a, b)), a);
        same(intersection(a, union(a, b)), a);
      }),
      { seed: 13 },
    );
  });

  it("difference and intersection split a set", () => {
    fc.assert(
      fc.property(sets, sets, (a, b) => {
        same(union(difference(a, b), intersection(a, b)), a);
        expect(isEmptySet(intersection(difference(a, b), b))).toBe(true);
        expect(isEmptySet(difference(a, a))).toBe(true);
        expect(pathsOf(union(a, b)).length).toBe(pathsOf(a).length + pathsOf(difference(b, a)).length);
      }),
      { seed: 14 },
    );
  });

  it("survives encoding", () => {
    fc.assert(
      fc.property(sets, (set) => {
        same(decodeFields(JSON.parse(JSON.stringify(encodeFields(set)))) ?? leafSet, set);
      }),
      { seed: 15 },
    );
  });
});

describe("decodeFields", () => {
  it("spells keys in one way", () => {
    const set = decodeFields({ "f:ports": { 'k:{ "protocol":"TCP", "port":80 }': { ".": {}, "f:name": {} } } });
    expect(encodeFields(set ?? emptySet)).toEqual({
      "f:ports": { 'k:{"port":80,"protocol":"TCP"}': { ".": {}, "f:name": {} } },
    });
    expect(pathsOf(set ?? emptySet)).toEqual(['.ports[port=80,protocol="TCP"]', '.ports[port=80,protocol="TCP"].name']);
  });

  it.each([[null], ["x"], [{ spec: {} }], [{ "f:a": 1 }], [{ "k:[1]": {} }], [{ "v:{": {} }], [{ "i:x": {} }]])(
    "refuses %j",
    (fields) => {
      expect(decodeFields(fields)).toBeUndefined();
    },
  );

  it("reads nothing from nothing", () => {
    expect(decodeFields({})).toEqual(emptySet);
    expect(decodeFields({ ".": {} })).toEqual(emptySet);
  });
});

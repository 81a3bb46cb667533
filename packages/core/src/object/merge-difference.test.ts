import { applyPatch } from "@capstan/contract/wire";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeDifference } from "./merge-difference.ts";

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.integer(),
    fc.string(),
    fc.boolean(),
    fc.array(fc.oneof(fc.integer(), fc.string()), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 3 }),
  ),
}));
const object = fc.dictionary(fc.constantFrom("a", "b", "c", "d"), json.value, { maxKeys: 4 });

describe("mergeDifference", () => {
  it.each([
    [{ a: 1 }, { a: 1 }, undefined],
    [{ a: 1 }, {}, { a: null }],
    [{}, { a: { b: 1 } }, { a: { b: 1 } }],
    [{ a: { b: 1, c: 2 } }, { a: { b: 1 } }, { a: { c: null } }],
    [{ a: [1, 2] }, { a: [1] }, { a: [1] }],
    [{ a: [{ b: 1 }] }, { a: [{ b: 1 }] }, undefined],
    [{ a: 1 }, { a: undefined }, { a: null }],
    [{ a: undefined }, {}, undefined],
  ])("from %j to %j", (before, after, expected) => {
    expect(mergeDifference(before, after)).toEqual(expected);
  });

  it("turns any object into any other, and says nothing about equal ones", () => {
    fc.assert(
      fc.property(object, object, (before, after) => {
        const difference = mergeDifference(before, after);
        const result = difference === undefined ? before : applyPatch(before, difference);
        expect(mergeDifference(result, after)).toBeUndefined();
      }),
    );
  });
});

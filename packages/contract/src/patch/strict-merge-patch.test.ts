import { isJsonObject, sameJson } from "@capstan/schema";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergePatch } from "./strict-merge-patch.ts";
import { PatchError } from "./patch-error.ts";

describe("mergePatch", () => {
  // The examples of RFC 7386, appendix A, that patch by an object.
  const cases: readonly [document: unknown, patch: object, result: object][] = [
    [{ a: "b" }, { a: "c" }, { a: "c" }],
    [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
    [{ a: "b" }, { a: null }, {}],
    [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
    [{ a: ["b"] }, { a: "c" }, { a: "c" }],
    [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
    [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
    [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: "b", c: null }, { a: "b" }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];
  it.each(cases)("%j + %j = %j", (document, patch, result) => {
    expect(mergePatch(document, patch)).toEqual(result);
  });

  it.each<[document: object, patch: object, result: object]>([
    [{}, { a: [{ b: null, c: [{ d: null }, null] }, null] }, { a: [{ c: [{}, null] }, null] }],
    [{ a: [1] }, { a: [[{ b: null }]] }, { a: [[{}]] }],
    [{ a: { b: 1 } }, { a: [{ b: null }] }, { a: [{ b: null }] }],
  ])("leaves nulls out of objects in lists, unless an object stood there: %j + %j = %j", (document, patch, result) => {
    expect(mergePatch(document, patch)).toEqual(result);
  });

  it.each([["text"], [[1]], [null], [5]])("refuses %j with 400", (patch) => {
    expect(() => mergePatch({}, patch)).toThrow(PatchError);
  });

  it("treats __proto__ as a member like any other", () => {
    const result = mergePatch({}, JSON.parse('{"__proto__":{"polluted":true},"constructor":{"x":1}}'));
    expect(Object.keys(result)).toEqual(["__proto__", "constructor"]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(result["constructor"]).toEqual({ x: 1 });
  });

  it("gets from any object to any other by the difference, without touching either", () => {
    const objects = fc.dictionary(fc.string(), json);
    fc.assert(
      fc.property(objects, objects, (before, after) => {
        const [left, right] = [JSON.stringify(before), JSON.stringify(after)];
        expect(sameJson(mergePatch(before, difference(before, after)), after)).toBe(true);
        expect([JSON.stringify(before), JSON.stringify(after)]).toEqual([left, right]);
      }),
      { seed: 20 },
    );
  });
});

const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, fc.integer(), fc.string(), fc.boolean(), tie("list"), tie("object")),
  list: fc.array(tie("value"), { maxLength: 3 }),
  object: fc.dictionary(fc.string(), tie("value"), { maxKeys: 4 }),
})).value;

const difference = (before: Record<string, unknown>, after: Record<string, unknown>): Record<string, unknown> => {
  const removed = Object.keys(before)
    .filter((key) => !Object.hasOwn(after, key))
    .map((key) => [key, null]);
  const changed = Object.keys(after)
    .filter((key) => !Object.hasOwn(before, key) || !sameJson(before[key], after[key]))
    .map((key) => {
      const [left, right] = [Object.hasOwn(before, key) ? before[key] : undefined, after[key]];
      return [key, isJsonObject(left) && isJsonObject(right) ? difference(left, right) : right];
    });
  return Object.fromEntries([...removed, ...changed]) as Record<string, unknown>;
};

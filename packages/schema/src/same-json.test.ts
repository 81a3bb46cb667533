import fc from "fast-check";
import { expect, it } from "vitest";
import { sameJson } from "./same-json.ts";

it.each<[unknown, unknown, boolean]>([
  [1, 1, true],
  [1, 1n, false],
  [0, -0, true],
  [1, "1", false],
  [null, undefined, false],
  [null, {}, false],
  [[], {}, false],
  [[1, 2], [1, 2], true],
  [[1, 2], [2, 1], false],
  [[1], [1, 2], false],
  [{ a: 1, b: { c: [] } }, { b: { c: [] }, a: 1 }, true],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: 1, b: 2 }, { a: 1 }, false],
  [{ a: 1 }, { b: 1 }, false],
  [{ a: undefined }, {}, true],
  [{}, { a: undefined }, true],
  [{ a: undefined, b: 1 }, { b: 1, c: undefined }, true],
  [{ a: undefined }, { a: null }, false],
  [{}, { constructor: Object }, false],
  [{ toString: undefined }, {}, true],
])("%o and %o: %s", (left, right, expected) => {
  expect(sameJson(left, right)).toBe(expected);
});

const json = fc.jsonValue({ maxDepth: 3 });

it("holds between a value and its copy, and is the same both ways", () => {
  fc.assert(
    fc.property(json, json, (left, right) => {
      expect(sameJson(left, structuredClone(left))).toBe(true);
      expect(sameJson(left, right)).toBe(sameJson(right, left));
    }),
  );
});

import { isJsonObject, sameJson } from "@capstan/schema";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergePatchOf } from "./merge-patch-of.ts";

type Json = Record<string, unknown>;

/** RFC 7386, section 2. */
const applied = (target: unknown, patch: unknown): unknown => {
  if (!isJsonObject(patch)) return patch;
  const result: Json = isJsonObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = applied(result[name], value);
  }
  return result;
};

const cases: readonly {
  readonly name: string;
  readonly before: Json;
  readonly after: Json;
  readonly patch: unknown;
}[] = [
  { name: "equal", before: { a: { b: [1] } }, after: { a: { b: [1] } }, patch: undefined },
  { name: "changed deep down", before: { a: { b: 1, c: 2 } }, after: { a: { b: 3, c: 2 } }, patch: { a: { b: 3 } } },
  { name: "removed", before: { a: 1, b: 2 }, after: { b: 2 }, patch: { a: null } },
  { name: "removed by undefined", before: { a: 1 }, after: { a: undefined }, patch: { a: null } },
  { name: "added", before: {}, after: { a: { b: 1 } }, patch: { a: { b: 1 } } },
  { name: "added with nulls inside", before: {}, after: { a: { b: null, c: 1 } }, patch: { a: { c: 1 } } },
  { name: "list replaced", before: { a: [1, 2] }, after: { a: [2] }, patch: { a: [2] } },
  { name: "list to object", before: { a: [1] }, after: { a: { b: 1 } }, patch: { a: { b: 1 } } },
  { name: "object to list", before: { a: { b: 1 } }, after: { a: [1] }, patch: { a: [1] } },
  { name: "emptied", before: { a: { b: 1 } }, after: { a: {} }, patch: { a: { b: null } } },
  { name: "absent and undefined", before: {}, after: { a: undefined }, patch: undefined },
];

it.each(cases)("says what is $name", ({ before, after, patch }) => {
  expect(mergePatchOf(before, after)).toEqual(patch);
});

const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean());
const { tree } = fc.letrec<{ tree: Json; value: unknown }>((tie) => ({
  value: fc.oneof({ depthSize: "small" }, scalar, fc.array(tie("value"), { maxLength: 3 }), tie("tree")),
  tree: fc.dictionary(fc.constantFrom("a", "b", "c", "d"), tie("value"), { maxKeys: 4 }),
}));

describe("for any two objects", () => {
  it("the patch turns one into the other", () => {
    fc.assert(
      fc.property(tree, tree, (before, after) => {
        expect(applied(before, mergePatchOf(before, after) ?? {})).toEqual(after);
      }),
      { numRuns: 2000, seed: 2 },
    );
  });

  it("there is a patch exactly when they differ, and none after it is applied", () => {
    fc.assert(
      fc.property(tree, tree, (before, after) => {
        const patch = mergePatchOf(before, after);
        expect(patch === undefined).toBe(sameJson(before, after));
        expect(mergePatchOf(applied(before, patch ?? {}) as Json, after)).toBeUndefined();
      }),
      { numRuns: 2000, seed: 3 },
    );
  });
});

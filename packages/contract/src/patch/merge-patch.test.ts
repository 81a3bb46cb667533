import { sameJson } from "@capstan/schema";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { MergePatch } from "./merge-patch.ts";
import { applyPatch, effectivePatch, mergePatches } from "./merge-patch.ts";

it("leaves out what the object already says", () => {
  const current = { spec: { a: 1, list: [1, { b: 2 }] }, status: { ready: true } };
  expect(
    effectivePatch(current, { spec: { a: 1, list: [1, { b: 2 }] }, status: { ready: true, gone: null } }),
  ).toBeUndefined();
  expect(effectivePatch(current, { spec: { a: 2, list: [1] }, status: { ready: null } })).toEqual({
    spec: { a: 2, list: [1] },
    status: { ready: null },
  });
});

it("keeps an empty object that is not there yet: its presence may mean something", () => {
  expect(effectivePatch({ spec: {} }, { spec: { controlPlane: {} } })).toEqual({ spec: { controlPlane: {} } });
  expect(effectivePatch({ spec: { controlPlane: {} } }, { spec: { controlPlane: {} } })).toBeUndefined();
  expect(effectivePatch({}, { spec: { gone: null } })).toBeUndefined();
});

it("lets the later patch win", () => {
  expect(mergePatches({ a: { x: 1, y: 1 } }, undefined, { a: { y: null }, b: [1] })).toEqual({
    a: { x: 1, y: null },
    b: [1],
  });
});

const leaf = fc.oneof(fc.integer(), fc.boolean(), fc.string(), fc.array(fc.integer(), { maxLength: 3 }));
const patches = fc.letrec<{ patch: MergePatch; value: unknown }>((tie) => ({
  value: fc.oneof({ depthSize: "small" }, leaf, fc.constant(null), tie("patch")),
  patch: fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 3 }),
})).patch;

it("says the same as the whole patch, and nothing a second time", () => {
  fc.assert(
    fc.property(patches, patches, (before, patch) => {
      const current = applyPatch({}, before);
      const wanted = applyPatch(current, patch);
      const effective = effectivePatch(current, patch);
      const reached = effective === undefined ? current : applyPatch(current, effective);
      expect(sameJson(withoutEmpty(reached), withoutEmpty(wanted))).toBe(true);
      expect(effectivePatch(wanted, patch)).toBeUndefined();
    }),
  );
});

/** An empty object in a patch changes nothing that a reader of the contract can tell. */
const withoutEmpty = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const kept = Object.entries(value)
    .map(([key, inner]) => [key, withoutEmpty(inner)] as const)
    .filter(([, inner]) => inner !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
};

import type { StructuralSchema } from "@capstan/schema/structural";
import { describe, expect, it } from "vitest";
import { PatchError } from "@capstan/contract/patch";
import { strategicPatch } from "./strategic-patch.ts";

const text: StructuralSchema = { type: "string" };
const byName = (properties: Record<string, StructuralSchema>): StructuralSchema => ({
  type: "array",
  items: { type: "object", properties },
  "x-kubernetes-patch-strategy": "merge",
  "x-kubernetes-patch-merge-key": "name",
});
const schema: StructuralSchema = {
  type: "object",
  properties: {
    finalizers: { type: "array", items: text, "x-kubernetes-patch-strategy": "merge" },
    args: { type: "array", items: text },
    annotations: { type: "object", additionalProperties: text },
    containers: byName({ image: text, env: byName({ value: text }), args: { type: "array", items: text } }),
    strategy: { type: "object", "x-kubernetes-patch-strategy": "retainKeys", properties: { type: text } },
    selector: { type: "object", "x-kubernetes-patch-strategy": "replace" },
    keyless: { type: "array", items: { type: "object" }, "x-kubernetes-patch-strategy": "merge" },
  },
};

const named = (...names: string[]) => names.map((name) => ({ name }));

describe("strategicPatch", () => {
  const cases: readonly [name: string, document: object, patch: object, result: object][] = [
    ["sets of scalars: new ones first", { finalizers: ["c"] }, { finalizers: ["d"] }, { finalizers: ["d", "c"] }],
    ["sets of scalars: once each", { finalizers: ["c"] }, { finalizers: ["c"] }, { finalizers: ["c"] }],
    ["other lists are replaced", { args: ["a", "b"] }, { args: ["c"] }, { args: ["c"] }],
    [
      "null removes",
      { args: ["a"], annotations: { a: "1", b: "2" } },
      { args: null, annotations: { a: null } },
      { annotations: { b: "2" } },
    ],
    ["null for what is missing is nothing", {}, { annotations: { a: null, b: "1" } }, { annotations: { b: "1" } }],
    [
      "lists merge by key: patched and new elements first",
      { containers: [{ name: "c1", image: "a", env: [{ name: "X", value: "1" }] }, { name: "c2" }] },
      { containers: [{ name: "c1", env: [{ name: "Y", value: "2" }] }, { name: "c3" }] },
      {
        containers: [
          {
            name: "c1",
            image: "a",
            env: [
              { name: "Y", value: "2" },
              { name: "X", value: "1" },
            ],
          },
          { name: "c3" },
          { name: "c2" },
        ],
      },
    ],
    [
      "a patched element keeps its place",
      { containers: named("a", "b", "c") },
      { containers: named("b") },
      { containers: named("a", "b", "c") },
    ],
    [
      "$patch delete of an element",
      { containers: named("a", "b") },
      { containers: [{ name: "a", $patch: "delete" }] },
      { containers: named("b") },
    ],
    ["$patch delete of an unknown element", {}, { containers: [{ name: "a", $patch: "delete" }] }, { containers: [] }],
    [
      "$patch replace of a list",
      { containers: named("a", "b") },
      { containers: [{ name: "z" }, { $patch: "replace" }] },
      { containers: named("z") },
    ],
    [
      "$patch merge says the default",
      { containers: named("a") },
      { containers: [{ name: "a", $patch: "merge", image: "i" }] },
      { containers: [{ name: "a", image: "i" }] },
    ],
    [
      "$patch replace of an object",
      { annotations: { a: "1" } },
      { annotations: { $patch: "replace", only: "one" } },
      { annotations: { only: "one" } },
    ],
    [
      "$patch delete of an object",
      { annotations: { a: "1" } },
      { annotations: { $patch: "delete" } },
      { annotations: {} },
    ],
    [
      "directives vanish where there is nothing yet",
      {},
      { annotations: { $patch: "replace", only: "one" } },
      { annotations: { only: "one" } },
    ],
    ["strategy replace", { selector: { a: 1 } }, { selector: { b: 1 } }, { selector: { b: 1 } }],
    [
      "$retainKeys",
      { strategy: { type: "RollingUpdate", rollingUpdate: { x: 1 } } },
      { strategy: { $retainKeys: ["type"], type: "Recreate" } },
      { strategy: { type: "Recreate" } },
    ],
    [
      "$deleteFromPrimitiveList",
      { finalizers: ["a", "b", "c"] },
      { "$deleteFromPrimitiveList/finalizers": ["a", "x"] },
      { finalizers: ["b", "c"] },
    ],
    [
      "$setElementOrder with a change",
      { containers: named("a", "b", "server", "c") },
      {
        "$setElementOrder/containers": named("c", "new", "a"),
        containers: [{ name: "new" }, { name: "b", $patch: "delete" }],
      },
      { containers: named("server", "c", "new", "a") },
    ],
    [
      "$setElementOrder of scalars",
      { finalizers: ["a", "b", "c"] },
      { "$setElementOrder/finalizers": ["c", "a"] },
      { finalizers: ["b", "c", "a"] },
    ],
    [
      "a new list drops element directives",
      {},
      {
        containers: [
          { name: "a", image: null },
          { name: "b", $patch: "delete" },
        ],
      },
      { containers: [{ name: "a" }] },
    ],
    ["a list over an object is replaced", { annotations: { a: "1" } }, { annotations: [1] }, { annotations: [1] }],
    [
      "fields the schema does not know merge as objects",
      { other: { a: 1 } },
      { other: { b: [2] } },
      { other: { a: 1, b: [2] } },
    ],
  ];
  it.each(cases)("%s", (_, document, patch, result) => {
    const [before, change] = [JSON.stringify(document), JSON.stringify(patch)];
    expect(strategicPatch(document, patch, schema)).toEqual(result);
    expect([JSON.stringify(document), JSON.stringify(patch)]).toEqual([before, change]);
  });

  const refused: readonly [name: string, patch: unknown, status: number][] = [
    ["a list", [], 400],
    ["an element without its merge key", { containers: [{ image: "i" }] }, 500],
    ["a deletion without its merge key", { containers: [{ $patch: "delete" }] }, 500],
    ["a merged list of objects without a merge key", { keyless: [{ a: 1 }] }, 500],
    ["an unknown directive on an element", { containers: [{ name: "a", $patch: "frob" }] }, 422],
    ["an unknown directive on an object", { annotations: { $patch: "frob" } }, 422],
    ["$retainKeys that is not a list", { strategy: { $retainKeys: "type" } }, 400],
    ["$retainKeys without a field that is set", { strategy: { $retainKeys: ["type"], other: 1 } }, 400],
    ["$setElementOrder that is not a list", { "$setElementOrder/containers": 1 }, 400],
    ["$deleteFromPrimitiveList that is not a list", { "$deleteFromPrimitiveList/finalizers": "a" }, 400],
  ];
  it.each(refused)("refuses %s", (_, patch, status) => {
    const document = { containers: named("a"), annotations: {}, strategy: {}, keyless: [{ a: 1 }], finalizers: ["a"] };
    const run = () => strategicPatch(document, patch, schema);
    expect(run).toThrow(PatchError);
    expect(run).toThrow(expect.objectContaining({ status }) as Error);
  });

  it("treats __proto__ as a member like any other", () => {
    const patch = JSON.parse('{"annotations":{"__proto__":"x"}}') as object;
    const result = strategicPatch({ annotations: {} }, patch, schema) as { annotations: object };
    expect(Object.keys(result.annotations)).toEqual(["__proto__"]);
  });
});

import { describe, expect, it } from "vitest";
import { jsonPatch } from "./json-patch.ts";
import { PatchError } from "./patch-error.ts";

const freeze = <T>(value: T): T => {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(freeze);
    Object.freeze(value);
  }
  return value;
};

const statusOf = (run: () => unknown): number => {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(PatchError);
    return (error as PatchError).status;
  }
  return 200;
};

const document = freeze({ a: { b: 1, "x/y": 2, "m~n": 3 }, list: [1, 2, 3], empty: null });

describe("jsonPatch applies", () => {
  const cases: readonly [name: string, operations: unknown[], expected: object][] = [
    ["add a member", [{ op: "add", path: "/a/c", value: [1] }], { a: { ...document.a, c: [1] } }],
    ["add over a member", [{ op: "add", path: "/a/b", value: 9 }], { a: { ...document.a, b: 9 } }],
    ["add without value: null", [{ op: "add", path: "/n" }], { n: null }],
    ["insert into a list", [{ op: "add", path: "/list/1", value: 9 }], { list: [1, 9, 2, 3] }],
    ["insert at the end by number", [{ op: "add", path: "/list/3", value: 9 }], { list: [1, 2, 3, 9] }],
    ["append", [{ op: "add", path: "/list/-", value: 9 }], { list: [1, 2, 3, 9] }],
    ["insert at a negative index", [{ op: "add", path: "/list/-1", value: 9 }], { list: [1, 2, 3, 9] }],
    ["zero-padded index", [{ op: "replace", path: "/list/02", value: 9 }], { list: [1, 2, 9] }],
    ["replace at a negative index", [{ op: "replace", path: "/list/-3", value: 9 }], { list: [9, 2, 3] }],
    ["replace of a missing member adds it", [{ op: "replace", path: "/new", value: 1 }], { new: 1 }],
    ["remove from a list", [{ op: "remove", path: "/list/-1" }], { list: [1, 2] }],
    [
      "escapes",
      [
        { op: "remove", path: "/a/x~1y" },
        { op: "remove", path: "/a/m~0n" },
      ],
      { a: { b: 1 } },
    ],
    ["move", [{ op: "move", from: "/a/b", path: "/list/0" }], { a: { "x/y": 2, "m~n": 3 }, list: [1, 1, 2, 3] }],
    ["copy", [{ op: "copy", from: "/list", path: "/copy" }], { copy: [1, 2, 3] }],
    ["a passing test", [{ op: "test", path: "/list", value: [1, 2, 3] }], {}],
    ["a test of a missing member against null", [{ op: "test", path: "/gone", value: null }], {}],
    ["a test without value of null", [{ op: "test", path: "/empty" }], {}],
  ];
  it.each(cases)("%s", (_, operations, changed) => {
    expect(jsonPatch(document, operations)).toEqual({ ...document, ...changed });
  });

  it("replaces the whole document", () => {
    expect(jsonPatch(document, [{ op: "replace", path: "", value: { z: 1 } }])).toEqual({ z: 1 });
  });

  it("keeps the two places of a copy apart", () => {
    const result = jsonPatch({ a: { b: {} } }, [
      { op: "add", path: "/a/b/first", value: 1 },
      { op: "copy", from: "/a", path: "/c" },
      { op: "add", path: "/c/b/second", value: 2 },
      { op: "add", path: "/a/b/third", value: 3 },
    ]);
    expect(result).toEqual({ a: { b: { first: 1, third: 3 } }, c: { b: { first: 1, second: 2 } } });
  });

  it("does not write into the patch itself", () => {
    const operations = freeze([
      { op: "add", path: "/v", value: { list: [] } },
      { op: "add", path: "/v/list/-", value: 1 },
    ]);
    expect(jsonPatch({}, operations)).toEqual({ v: { list: [1] } });
  });

  it("treats __proto__ as a member like any other", () => {
    const operations = JSON.parse('[{"op":"add","path":"/__proto__","value":{"polluted":1}}]') as unknown;
    const result = jsonPatch({}, operations) as object;
    expect(Object.keys(result)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(statusOf(() => jsonPatch({}, [{ op: "add", path: "/constructor/prototype/x", value: 1 }]))).toBe(422);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("jsonPatch refuses", () => {
  const cases: readonly [name: string, operations: unknown, status: number][] = [
    ["an object", { op: "add", path: "/a", value: 1 }, 400],
    ["null", null, 400],
    ["elements that are not objects", ["add"], 400],
    ["an unknown operation", [{ op: "frob", path: "/a" }], 422],
    ["a missing path", [{ op: "add", value: 1 }], 422],
    ["a path without slash", [{ op: "add", path: "a", value: 1 }], 422],
    ["a failing test", [{ op: "test", path: "/a/b", value: 2 }], 422],
    ["removing what is missing", [{ op: "remove", path: "/gone" }], 422],
    ["adding below a missing parent", [{ op: "add", path: "/gone/x", value: 1 }], 422],
    ["adding below a scalar", [{ op: "add", path: "/a/b/c", value: 1 }], 422],
    ["adding beyond the end", [{ op: "add", path: "/list/4", value: 1 }], 422],
    ["a negative index beyond the start", [{ op: "remove", path: "/list/-4" }], 422],
    ["- for replace", [{ op: "replace", path: "/list/-", value: 1 }], 422],
    ["- for remove", [{ op: "remove", path: "/list/-" }], 422],
    ["an index that is not a number", [{ op: "add", path: "/list/one", value: 1 }], 422],
    ["a move from nowhere", [{ op: "move", from: "/gone", path: "/x" }], 422],
    ["a copy from nowhere", [{ op: "copy", from: "/gone", path: "/x" }], 422],
    ["removing the document", [{ op: "remove", path: "" }], 422],
    ["too many operations", Array.from({ length: 10_001 }, () => ({ op: "test", path: "/empty", value: null })), 413],
  ];
  it.each(cases)("%s", (_, operations, status) => {
    expect(statusOf(() => jsonPatch(document, operations))).toBe(status);
  });

  it("copies that grow without bound", () => {
    const doubling = Array.from({ length: 30 }, (_, index) => ({ op: "copy", from: "/a", path: `/a/c${index}` }));
    expect(statusOf(() => jsonPatch({ a: { text: "x".repeat(100) } }, doubling))).toBe(413);
  });

  it("10,000 operations on one list run in one go", () => {
    const operations = Array.from({ length: 10_000 }, () => ({ op: "add", path: "/list/0", value: 0 }));
    expect((jsonPatch(document, operations) as { list: unknown[] }).list).toHaveLength(10_003);
  });
});

import { describe, expect, it } from "vitest";
import { widget, widgetWith } from "../../test/widget-schema.ts";
import { prune } from "./prune.ts";
import type { StructuralSchema } from "./structural-schema.ts";

describe("prune", () => {
  it("drops unknown members at every depth and names them in order", () => {
    const object = {
      ...widgetWith({ nope: 1, nested: { a: "x", zz: 1 }, alist: [{ k: "a", z: 1 }], blob: { any: { deep: [1] } } }),
      metadata: { name: "w", bar: 1, ownerReferences: [{ uid: "u", foo: 1 }] },
      extra: true,
    };
    expect(prune(widget, object)).toEqual({
      value: {
        ...widgetWith({ nested: { a: "x" }, alist: [{ k: "a" }], blob: { any: { deep: [1] } } }),
        metadata: { name: "w", ownerReferences: [{ uid: "u" }] },
      },
      unknown: [
        "extra",
        "metadata.bar",
        "metadata.ownerReferences[0].foo",
        "spec.alist[0].z",
        "spec.nested.zz",
        "spec.nope",
      ],
    });
  });

  it("returns the same value when there is nothing to drop", () => {
    const object = widgetWith({ tags: ["a"], gmap: { a: "b" } });
    expect(prune(widget, object).value).toBe(object);
  });

  it("keeps the metadata of an embedded resource to ObjectMeta and everything else in it", () => {
    const emb = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c", foo: 1 }, data: { a: "b" } };
    expect(prune(widget, widgetWith({ emb }))).toEqual({
      value: widgetWith({ emb: { ...emb, metadata: { name: "c" } } }),
      unknown: ["spec.emb.metadata.foo"],
    });
  });

  it("keeps what a declared member of a preserving object does not declare pruned", () => {
    const schema = {
      type: "object",
      "x-kubernetes-preserve-unknown-fields": true,
      properties: { known: { type: "object", properties: { a: { type: "string" } } } },
    } as const;
    expect(prune(schema, { other: { z: 1 }, known: { a: "x", z: 1 } }, { resource: false })).toEqual({
      value: { other: { z: 1 }, known: { a: "x" } },
      unknown: ["known.z"],
    });
  });

  const declared = { type: "object", properties: { a: { type: "string" } } } as const;
  const preserving = { "x-kubernetes-preserve-unknown-fields": true } as const;
  const list = { type: "array", items: declared } as const;

  it.each<[string, StructuralSchema, unknown, unknown, readonly string[]]>([
    ["a list", { ...list, ...preserving }, [{ a: "1", b: 2, c: { d: [null] } }, null, [{ e: 1 }]], undefined, []],
    ["a list of lists", { type: "array", items: list, ...preserving }, [[{ a: "1", b: 2 }], null], undefined, []],
    ["the inner list only", { type: "array", items: { ...list, ...preserving } }, [[{ a: "1", b: 2 }]], undefined, []],
    ["a list without items", { ...preserving }, [{ b: [{ c: 1 }] }], undefined, []],
    ["the items only", { type: "array", items: { ...declared, ...preserving } }, [{ b: 1 }], undefined, []],
    [
      "a list in a list that does not",
      { type: "array", items: list },
      [[{ a: "1", b: 2 }]],
      [[{ a: "1" }]],
      ["[0][0].b"],
    ],
    [
      "a list, but not the declared members of its items",
      { type: "array", items: { type: "object", properties: { of: declared, lists: list } }, ...preserving },
      [{ of: { a: "1", b: 1 }, lists: [{ b: 1 }], other: { b: 1 } }],
      [{ of: { a: "1" }, lists: [{}], other: { b: 1 } }],
      ["[0].lists[0].b", "[0].of.b"],
    ],
    [
      "a list of maps, but not the values of the maps",
      { type: "array", items: { type: "object", additionalProperties: declared }, ...preserving },
      [{ one: { a: "1", b: 1 } }],
      [{ one: { a: "1" } }],
      ["[0].one.b"],
    ],
    [
      "a map, but not its values",
      { type: "object", additionalProperties: declared, ...preserving },
      { one: { a: "1", b: 1 } },
      { one: { a: "1" } },
      ["one.b"],
    ],
  ])("preserves unknown fields of %s", (_, schema, value, kept, unknown) => {
    expect(prune(schema, value, { resource: false })).toEqual({ value: kept ?? value, unknown });
  });

  it.each(["__proto__", "constructor", "toString"])("treats a member called %s like any other", (name) => {
    const member = JSON.parse(`{"${name}": "x"}`) as Record<string, unknown>;
    const pruned = prune(widget, widgetWith({ ...member, gmap: member }));
    expect(pruned.unknown).toEqual([`spec.${name}`]);
    expect(Object.entries((pruned.value as { spec: { gmap: object } }).spec.gmap)).toEqual([[name, "x"]]);
  });

  it("treats apiVersion, kind and metadata as unknown where no object can stand", () => {
    expect(prune({ type: "object", properties: {} }, { kind: "x" }, { resource: false }).unknown).toEqual(["kind"]);
  });
});

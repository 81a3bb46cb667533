import { describe, expect, it } from "vitest";
import { widget, widgetWith } from "../../test/widget-schema.ts";
import { prune } from "./prune.ts";

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

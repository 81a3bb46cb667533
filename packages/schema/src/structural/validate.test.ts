import { describe, expect, it } from "vitest";
import { widget, widgetWith } from "../../test/widget-schema.ts";
import { blocksRules, validate } from "./validate.ts";
import type { StructuralSchema } from "./structural-schema.ts";

const found = (spec: Readonly<Record<string, unknown>>, old?: Readonly<Record<string, unknown>>) =>
  validate(widget, widgetWith(spec), old === undefined ? {} : { oldValue: widgetWith(old) }).map(
    ({ reason, field }) => `${reason.replace("FieldValue", "")} ${field}`,
  );

describe("validate", () => {
  it("accepts a valid object", () => {
    expect(
      found({
        size: "L",
        host: "a.b",
        posix: "aZ9",
        tags: ["a", "b"],
        ports: [
          { port: 1, protocol: "TCP" },
          { port: 1, protocol: "UDP" },
        ],
        ios: "5%",
        quantity: 5,
        nul: null,
        when: "2026-08-21T10:11:12Z",
        dur: "1h30m",
        num: 1.5,
        one: { x: 1 },
        blob: { known: 1, other: {} },
        emb: { apiVersion: "v1", kind: "ConfigMap", metadata: { labels: { a: "b" } } },
      }),
    ).toEqual([]);
  });

  it.each<[spec: Record<string, unknown>, causes: string[]]>([
    [{ replicas: "1" }, ["TypeInvalid spec.replicas"]],
    [{ replicas: 1.5 }, ["TypeInvalid spec.replicas", "Invalid <nil>"]],
    [{ replicas: -1 }, ["Invalid spec.replicas"]],
    [{ replicas: 101 }, ["Invalid spec.replicas"]],
    [{ replicas: 4_294_967_296 }, ["Invalid spec.replicas", "Invalid <nil>"]],
    [{ size: "XXL" }, ["NotSupported spec.size"]],
    [{ size: 5 }, ["TypeInvalid spec.size", "NotSupported spec.size"]],
    [{ host: "" }, ["Invalid spec.host"]],
    [{ host: "Upper" }, ["Invalid spec.host"]],
    [{ host: "a".repeat(64) }, ["TooLong spec.host"]],
    [{ host: null }, ["TypeInvalid spec.host"]],
    [{ posix: "a_b" }, ["Invalid spec.posix"]],
    [{ num: 0.3 }, ["Invalid spec.num"]],
    [{ when: "yesterday" }, ["TypeInvalid spec.when"]],
    [{ dur: "a while" }, ["TypeInvalid spec.dur"]],
    [{ ios: true }, ["TypeInvalid spec.ios"]],
    [{ quantity: "abc" }, ["Invalid spec.quantity"]],
    [{ quantity: true }, ["TypeInvalid spec.quantity", "Invalid <nil>", "TypeInvalid spec.quantity"]],
    [{ tags: ["a", "b", "a"] }, ["Duplicate spec.tags[2]"]],
    [{ tags: "abcdefghijklmnopqrstu".split("") }, ["TooMany spec.tags"]],
    [{ tags: "a" }, ["TypeInvalid spec.tags"]],
    [{ ports: [{ port: 1 }, { port: 1, name: "x" }] }, ["Duplicate spec.ports[1]"]],
    [{ ports: [{}] }, ["Required spec.ports[0].port"]],
    [{ ports: [null] }, ["TypeInvalid spec.ports[0]"]],
    [{ blob: { known: "x" } }, ["TypeInvalid spec.blob.known"]],
    [{ emb: {} }, ["Required spec.emb.apiVersion", "Required spec.emb.kind"]],
    [{ emb: { apiVersion: "v1", kind: "A", metadata: { labels: "x" } } }, ["TypeInvalid spec.emb.metadata.labels"]],
    [{ one: { x: 1, y: 2 } }, ["Invalid <nil>"]],
    [{ one: {} }, ["Invalid <nil>", "Required spec.one.x"]],
    [{ gmap: { a: 1 } }, ["TypeInvalid spec.gmap.a"]],
  ])("refuses %j", (spec, causes) => {
    expect(found(spec)).toEqual(causes);
  });

  it("names a missing required member", () => {
    expect(validate(widget, { metadata: {} })).toEqual([
      { reason: "FieldValueRequired", field: "spec", message: "Required value" },
    ]);
  });

  it("does not repeat what should be base64", () => {
    const causes = validate({ type: "string", format: "byte" }, "hunter2!");
    expect(causes.map(({ reason }) => reason)).toEqual(["FieldValueTypeInvalid"]);
    expect(JSON.stringify(causes)).not.toContain("hunter2");
  });

  it("counts characters, not bytes or UTF-16 units", () => {
    expect(validate({ type: "string", maxLength: 2 }, "😀😀")).toEqual([]);
  });

  it("does not find members on the prototype", () => {
    expect(validate({ type: "object", required: ["constructor"] }, {})).toHaveLength(1);
  });

  it("starts paths where it is told", () => {
    expect(validate({ type: "string" }, 1, { path: "a.b" })[0]?.field).toBe("a.b");
  });

  it.each<[what: string, schema: StructuralSchema, value: unknown, reasons: string[]]>([
    ["allOf", { allOf: [{ minimum: 1 }, { maximum: 2 }] }, 3, ["<nil>", "x"]],
    ["not", { not: { enum: [1] } }, 1, ["<nil>"]],
    ["enum", { enum: ["a", null] }, null, ["x"]],
    ["enum of what is nullable", { type: "string", nullable: true, enum: ["a", null] }, null, ["x"]],
    ["anyOf", { anyOf: [{ enum: [1] }, { enum: [2] }] }, 2, []],
    ["exclusive bounds", { minimum: 1, exclusiveMinimum: true }, 1, ["x"]],
    ["too many properties", { type: "object", maxProperties: 0 }, { a: 1 }, ["x"]],
    ["too few properties", { type: "object", minProperties: 1 }, {}, ["x"]],
    ["too few items", { type: "array", minItems: 1, items: {} }, [], ["x"]],
  ])("checks %s", (_what, schema, value, fields) => {
    expect(validate(schema, value, { path: "x" }).map(({ field }) => field)).toEqual(fields);
  });
});

describe("validate on update", () => {
  it.each<[what: string, spec: Record<string, unknown>, old: Record<string, unknown>, causes: string[]]>([
    ["an old fault elsewhere", { host: "Bad", min: 2 }, { host: "Bad", min: 1 }, []],
    ["a new fault", { host: "Bad" }, { host: "good" }, ["Invalid spec.host"]],
    [
      "an old fault in a keyed item",
      { ports: [{ port: 2 }, { port: 1, name: 5 }] },
      { ports: [{ port: 1, name: 5 }] },
      [],
    ],
    [
      "an old fault in an atomic list that changed",
      { alist: [{ k: 1 }, { k: "a" }] },
      { alist: [{ k: 1 }] },
      ["TypeInvalid spec.alist[0].k"],
    ],
    ["an old duplicate", { tags: ["a", "a"], min: 1 }, { tags: ["a", "a"] }, []],
    ["a new duplicate", { tags: ["a", "a"] }, { tags: ["a"] }, ["Duplicate spec.tags[1]"]],
    [
      "a missing member of what changed",
      { ports: [{ name: "y" }] },
      { ports: [{ name: "x" }] },
      ["Required spec.ports[0].port"],
    ],
  ])("judges %s", (_what, spec, old, causes) => {
    expect(found(spec, old)).toEqual(causes);
  });
});

describe("blocksRules", () => {
  it.each([
    [{ size: "XXL" }, true],
    [{ host: "Upper" }, false],
    [{ tags: ["a", "a"] }, false],
    [{ when: "x" }, true],
  ])("%j: %s", (spec, expected) => {
    expect(blocksRules(validate(widget, widgetWith(spec)))).toBe(expected);
  });
});

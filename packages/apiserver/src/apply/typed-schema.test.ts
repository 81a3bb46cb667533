import type { StructuralSchema } from "@capstan/schema/structural";
import { describe, expect, it } from "vitest";
import { typedSchema } from "./typed-schema.ts";
import { typingErrors } from "./typing.ts";

const typed = (schema: StructuralSchema): StructuralSchema => typedSchema({ origin: "custom", schema });
const declared = { type: "object", properties: { a: { type: "string" } } } as const;
const preserving = { "x-kubernetes-preserve-unknown-fields": true } as const;
const resource = { type: "object", "x-kubernetes-embedded-resource": true } as const;

describe("the schema that fields are applied by", () => {
  it("is made once, and of custom kinds only", () => {
    expect(typed(declared)).toBe(typed(declared));
    expect(typedSchema({ origin: "builtin", schema: declared })).toBe(declared);
  });

  it.each<[string, StructuralSchema, unknown]>([
    ["preserves in what is preserved", { type: "array", items: declared, ...preserving }, [{ a: "1", b: 1 }]],
    [
      "preserves in declared members of it",
      { type: "object", properties: { v: declared }, ...preserving },
      { v: { b: 1 } },
    ],
    ["lets an object without members hold anything", { type: "object" }, { b: { c: 1 } }],
    ["lets an int-or-string be of any type", { "x-kubernetes-int-or-string": true }, [{}]],
    ["lets a text with a format be any scalar", { type: "string", format: "date-time" }, 5],
  ])("%s", (_what, schema, value) => {
    expect(typingErrors(value, typed(schema))).toEqual([]);
  });

  it.each<[string, StructuralSchema, unknown]>([
    ["unknown members of what declares some", declared, { b: 1 }],
    [
      "members of a closed map, preserved or not",
      { type: "object", properties: { v: { type: "object", additionalProperties: false } }, ...preserving },
      { v: { a: 1 } },
    ],
    ["what is not in ObjectMeta of an embedded resource", { ...resource, ...preserving }, { metadata: { foo: 1 } }],
    ["null in a set", { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" }, [null]],
    ["a list for a text with a format", { type: "string", format: "date-time" }, []],
    ["a number for base64", { type: "string", format: "byte" }, 1],
  ])("refuses %s", (_what, schema, value) => {
    expect(typingErrors(value, typed(schema))).toHaveLength(1);
  });
});

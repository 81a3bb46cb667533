import type { StructuralSchema } from "@capstan/schema";
import { expect, it } from "vitest";
import { defaultRuleCauses } from "./default-rules.ts";

const text = (value: string, rule = "self == 'a'"): StructuralSchema => ({
  type: "string",
  maxLength: 5,
  default: value,
  "x-kubernetes-validations": [{ rule }],
});
const within = (f: StructuralSchema): StructuralSchema => ({ type: "object", properties: { f } });

it.each<[string, StructuralSchema, readonly string[]]>([
  ["one that fits", within(text("a")), []],
  ["one that does not", within(text("b")), ["~.properties[f].default"]],
  ["one of items", within({ type: "array", items: text("b") }), ["~.properties[f].items.default"]],
  ["one of map values", within({ type: "object", additionalProperties: text("b") }), []],
  ["a member of one", within({ ...within(text("a")), default: { f: "b" } }), ["~.properties[f].default.f"]],
  ["one that could not stay", within(text("b", "oldSelf != 'b'")), ["~.properties[f].default"]],
])("judges a default by rules: %s", (_what, schema, fields) => {
  expect(defaultRuleCauses(schema, "~").map(({ field }) => field)).toEqual(fields);
});

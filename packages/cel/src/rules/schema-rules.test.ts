import type { StructuralSchema, ValidationRule } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import { compileSchemaRules } from "./schema-rules.ts";

const at = "spec.validation.openAPIV3Schema";

const schemaOf = (spec: StructuralSchema): StructuralSchema => ({ type: "object", properties: { spec } });

const withRule = (rule: ValidationRule, properties: StructuralSchema["properties"] = {}): StructuralSchema =>
  schemaOf({
    type: "object",
    properties: {
      min: { type: "integer" },
      max: { type: "integer" },
      name: { type: "string", maxLength: 20 },
      ...properties,
    },
    "x-kubernetes-validations": [rule],
  });

const specAt = `${at}.properties[spec].x-kubernetes-validations[0]`;

describe("compiling the rules of a schema", () => {
  it.each<[string, ValidationRule, readonly (readonly [string, string])[]]>([
    ["a good rule", { rule: "self.min <= self.max" }, []],
    ["a syntax error", { rule: "self.min <=" }, [["FieldValueInvalid", `${specAt}.rule`]]],
    ["an unknown field", { rule: "self.nope == 1" }, [["FieldValueInvalid", `${specAt}.rule`]]],
    ["a rule that is not bool", { rule: "self.min" }, [["FieldValueInvalid", `${specAt}.rule`]]],
    ["types that do not fit", { rule: "self.min == 'a'" }, [["FieldValueInvalid", `${specAt}.rule`]]],
    [
      "a message expression that is not a string",
      { rule: "true", messageExpression: "1" },
      [["FieldValueInvalid", `${specAt}.messageExpression`]],
    ],
    [
      "optionalOldSelf without oldSelf",
      { rule: "self.min == 1", optionalOldSelf: true },
      [["FieldValueInvalid", `${specAt}.optionalOldSelf`]],
    ],
  ])("%s", (_, rule, wanted) => {
    const { causes } = compileSchemaRules(withRule(rule), at);
    expect(causes.map(({ reason, field }) => [reason, field])).toEqual(wanted);
  });

  const unbounded: StructuralSchema = { type: "array", items: { type: "string" } };

  it("refuses nested loops over lists without limits", () => {
    const rule = "self.l.all(a, self.l.all(b, self.l.all(c, self.l.all(d, a == d))))";
    const { causes } = compileSchemaRules(withRule({ rule }, { l: unbounded }), at);
    expect(causes).toMatchObject([{ reason: "FieldValueForbidden", field: `${specAt}.rule` }]);
  });

  it("accepts the same over lists with limits", () => {
    const rule = "self.l.all(a, self.l.all(b, a == b))";
    const l: StructuralSchema = { type: "array", maxItems: 100, items: { type: "string", maxLength: 20 } };
    expect(compileSchemaRules(withRule({ rule }, { l }), at).causes).toEqual([]);
  });

  it("counts how often a rule inside a list runs", () => {
    const item: StructuralSchema = {
      type: "object",
      properties: { a: { type: "string" } },
      "x-kubernetes-validations": [{ rule: "self.a.matches('^[a-z]+$')" }],
    };
    const inList = (bounds: StructuralSchema): StructuralSchema =>
      schemaOf({ type: "object", properties: { l: { type: "array", items: item, ...bounds } } });
    expect(compileSchemaRules(inList({}), at).causes).toHaveLength(1);
    expect(compileSchemaRules(inList({ maxItems: 5 }), at).causes).toEqual([]);
  });

  it("refuses oldSelf where items cannot be told apart", () => {
    const items: StructuralSchema = { type: "string", "x-kubernetes-validations": [{ rule: "self == oldSelf" }] };
    const schema = schemaOf({ type: "object", properties: { l: { type: "array", maxItems: 5, items } } });
    expect(compileSchemaRules(schema, at).causes).toMatchObject([
      { field: `${at}.properties[spec].properties[l].items.x-kubernetes-validations[0].rule` },
    ]);
  });
});

describe("running rules", () => {
  const run = (rule: ValidationRule, spec: unknown, old?: unknown) =>
    compileSchemaRules(withRule(rule), at).evaluate({ spec }, old === undefined ? undefined : { spec: old });

  it("gives the message, reason and place of the rule", () => {
    const rule: ValidationRule = {
      rule: "self.name.startsWith('s-')",
      messageExpression: "'bad name ' + self.name",
      reason: "FieldValueForbidden",
      fieldPath: ".name",
    };
    expect(run(rule, { name: "x" })).toEqual([
      { reason: "FieldValueForbidden", field: "spec.name", message: "Forbidden: bad name x" },
    ]);
    expect(run(rule, { name: "s-x" })).toEqual([]);
  });

  it("falls back to the message and to the rule", () => {
    const rule = "self.min <= self.max";
    expect(run({ rule, message: "min above max" }, { min: 2, max: 1 })).toMatchObject([
      { reason: "FieldValueInvalid", field: "spec", message: "Invalid value: min above max" },
    ]);
    expect(run({ rule, messageExpression: "self.name" }, { min: 2, max: 1 })).toMatchObject([
      { message: "Invalid value: failed rule: self.min <= self.max" },
    ]);
  });

  it("reports an error of the evaluation", () => {
    expect(run({ rule: "self.min <= self.max" }, { min: 2 })).toMatchObject([
      { field: "spec", message: expect.stringContaining("no such key: max") as string },
    ]);
  });

  it("runs rules with oldSelf on updates only", () => {
    const rule: ValidationRule = { rule: "self.min >= oldSelf.min" };
    expect(run(rule, { min: 1 })).toEqual([]);
    expect(run(rule, { min: 1 }, { min: 2 })).toHaveLength(1);
    expect(run(rule, { min: 3 }, { min: 2 })).toEqual([]);
  });

  it("runs rules with an optional oldSelf always", () => {
    const rule: ValidationRule = { rule: "oldSelf.hasValue() || self.min == 0", optionalOldSelf: true };
    expect(run(rule, { min: 1 })).toHaveLength(1);
    expect(run(rule, { min: 1 }, { min: 0 })).toEqual([]);
  });

  it("tolerates what was wrong before and has not changed", () => {
    const rule: ValidationRule = { rule: "self.min <= self.max" };
    expect(run(rule, { min: 2, max: 1 }, { min: 2, max: 1 })).toEqual([]);
    expect(run(rule, { min: 3, max: 1 }, { min: 2, max: 1 })).toHaveLength(1);
  });

  it("stops when the budget is spent", () => {
    const rule = "self.all(a, self.all(b, a + b >= 0))";
    const l: StructuralSchema = {
      type: "array",
      items: { type: "integer" },
      "x-kubernetes-validations": [{ rule }, { rule }],
    };
    const { evaluate } = compileSchemaRules(schemaOf({ type: "object", properties: { l } }), at);
    const causes = evaluate({ spec: { l: Array.from({ length: 2000 }, (_, index) => index) } }, undefined);
    expect(causes).toHaveLength(1);
    expect(causes[0]!.message).toContain("no further validation rules will be run");
  });
});

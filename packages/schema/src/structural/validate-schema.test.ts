import { describe, expect, it } from "vitest";
import { widget } from "../../test/widget-schema.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import { validateSchema } from "./validate-schema.ts";

const at = "spec.validation.openAPIV3Schema";

/** Causes of a schema whose only field is `f`, with the path of the field cut off. */
const found = (field: unknown, path = ".properties[f]") =>
  validateSchema({ type: "object", properties: { f: field as StructuralSchema } }, at).map(
    ({ reason, field: where }) => `${reason.replace("FieldValue", "")} ${where.replace(`${at}${path}`, "~")}`,
  );

const list = (extra: object, items: object = { type: "string" }) => ({ type: "array", items, ...extra });
const keyed = (properties: object, extra: object = {}) =>
  list(
    { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"] },
    { type: "object", properties, ...extra },
  );

describe("validateSchema", () => {
  it("accepts a schema that uses every feature", () => {
    expect(validateSchema(widget, at)).toEqual([]);
  });

  it.each<[what: string, field: unknown, causes: string[]]>([
    ["no type", {}, ["Required ~.type"]],
    ["an unknown type", { type: "text" }, ["NotSupported ~.type"]],
    ["items without type", list({}, {}), ["Required ~.items.type"]],
    ["map values without type", { type: "object", additionalProperties: {} }, ["Required ~.additionalProperties.type"]],
    ["a typed int-or-string", { type: "string", "x-kubernetes-int-or-string": true }, []],
    ["$ref", { type: "object", $ref: "#/x" }, ["Forbidden ~.$ref"]],
    ["uniqueItems", list({ uniqueItems: true }), ["Forbidden ~.uniqueItems"]],
    ["an array without items", { type: "array" }, ["Required ~.items"]],
    ["a tuple", { type: "array", items: [{ type: "string" }] }, ["Forbidden ~.items"]],
    [
      "properties with additionalProperties",
      { type: "object", properties: { a: { type: "string" } }, additionalProperties: { type: "string" } },
      ["Forbidden ~.additionalProperties"],
    ],
    [
      "additionalProperties false",
      { type: "object", additionalProperties: false, properties: { a: { type: "string" } } },
      ["Forbidden ~.additionalProperties"],
    ],
    ["a broken pattern", { type: "string", pattern: "([" }, ["Invalid ~.pattern"]],
    ["a pattern that looks ahead", { type: "string", pattern: "(?=a)b" }, ["Invalid ~.pattern"]],
    ["type in anyOf", { type: "string", anyOf: [{ type: "string" }] }, ["Forbidden ~.anyOf[0].type"]],
    ["default in allOf", { type: "string", allOf: [{ default: "a" }] }, ["Forbidden ~.allOf[0].default"]],
    ["an undeclared field in oneOf", { type: "object", oneOf: [{ properties: { a: {} } }] }, []],
    ["nullable in not", { type: "string", not: { nullable: true } }, ["Forbidden ~.not.nullable"]],
    ["list type foo", list({ "x-kubernetes-list-type": "foo" }), ["NotSupported ~.x-kubernetes-list-type"]],
    ["list type of a string", { type: "string", "x-kubernetes-list-type": "set" }, ["Invalid ~.type"]],
    [
      "map list without keys",
      list({ "x-kubernetes-list-type": "map" }, { type: "object" }),
      ["Required ~.x-kubernetes-list-map-keys"],
    ],
    [
      "keys without map list",
      list({ "x-kubernetes-list-map-keys": ["k"] }, { type: "object" }),
      ["Required ~.x-kubernetes-list-type"],
    ],
    [
      "map list of strings",
      list({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"] }),
      ["Invalid ~.items.type"],
    ],
    ["a key that is not a field", keyed({}), ["Invalid ~.x-kubernetes-list-map-keys"]],
    ["an optional key", keyed({ k: { type: "string" } }), ["Required ~.items.properties[k].default"]],
    ["a required key", keyed({ k: { type: "string" } }, { required: ["k"] }), []],
    ["a defaulted key", keyed({ k: { type: "string", default: "a" } }), []],
    ["a key that is a list", keyed({ k: list({}) }, { required: ["k"] }), ["Invalid ~.items.properties[k].type"]],
    [
      "a nullable key",
      keyed({ k: { type: "string", nullable: true } }, { required: ["k"] }),
      ["Forbidden ~.items.properties[k].nullable"],
    ],
    [
      "a set of objects",
      list({ "x-kubernetes-list-type": "set" }, { type: "object" }),
      ["Invalid ~.items.x-kubernetes-map-type"],
    ],
    [
      "a set of nullables",
      list({ "x-kubernetes-list-type": "set" }, { type: "string", nullable: true }),
      ["Forbidden ~.items.nullable"],
    ],
    ["map type foo", { type: "object", "x-kubernetes-map-type": "foo" }, ["NotSupported ~.x-kubernetes-map-type"]],
    ["a default of the wrong type", { type: "string", default: 1 }, ["TypeInvalid ~.default"]],
    [
      "a default with an unknown member",
      { type: "object", properties: { a: { type: "string" } }, default: { b: 1 } },
      ["Invalid ~.default"],
    ],
    [
      "a default without a required member",
      { type: "object", required: ["a"], properties: { a: { type: "string" } }, default: {} },
      ["Required ~.default.a"],
    ],
    [
      "a default without a required member that has a default",
      { type: "object", required: ["a"], properties: { a: { type: "string", default: "b" } }, default: {} },
      ["Required ~.default.a"],
    ],
    ["a null default of what is not nullable", { type: "string", default: null }, []],
    [
      "preserve-unknown false",
      { type: "object", "x-kubernetes-preserve-unknown-fields": false },
      ["Invalid ~.x-kubernetes-preserve-unknown-fields"],
    ],
    [
      "an empty embedded resource",
      { type: "object", "x-kubernetes-embedded-resource": true },
      ["Required ~.properties"],
    ],
    [
      "a rule without text",
      { type: "string", "x-kubernetes-validations": [{ rule: " " }] },
      ["Required ~.x-kubernetes-validations[0].rule"],
    ],
    [
      "an unknown reason",
      { type: "string", "x-kubernetes-validations": [{ rule: "true", reason: "No" }] },
      ["NotSupported ~.x-kubernetes-validations[0].reason"],
    ],
    [
      "a fieldPath that leads nowhere",
      { type: "object", "x-kubernetes-validations": [{ rule: "true", fieldPath: ".a" }] },
      ["Invalid ~.x-kubernetes-validations[0].fieldPath"],
    ],
    ["no schema", null, ["TypeInvalid ~"]],
    ["null for items", { type: "array", items: null }, ["TypeInvalid ~.items"]],
    ["null for a description and for required", { type: "object", description: null, required: null }, []],
    ["required that is not a list", { type: "object", required: "a" }, ["TypeInvalid ~.required"]],
    ["required that holds no names", { type: "object", required: [1] }, ["TypeInvalid ~.required[0]"]],
    [
      "rules that are not a list",
      { type: "string", "x-kubernetes-validations": { rule: "true" } },
      ["TypeInvalid ~.x-kubernetes-validations"],
    ],
    [
      "a rule that is missing",
      { type: "string", "x-kubernetes-validations": [{ message: "no" }] },
      ["Required ~.x-kubernetes-validations[0].rule"],
    ],
    [
      "a rule that is not a text",
      { type: "string", "x-kubernetes-validations": [{ rule: 1 }, "true"] },
      ["TypeInvalid ~.x-kubernetes-validations[0].rule", "TypeInvalid ~.x-kubernetes-validations[1]"],
    ],
    ["a pattern beside a default", { type: "string", pattern: "(", default: "a" }, ["Invalid ~.pattern"]],
    ["a pattern in allOf", { type: "string", allOf: [{ pattern: "(" }] }, ["Invalid ~.allOf[0].pattern"]],
    ["a count beyond 2^53", { ...list({ maxItems: 9223372036854775807n }) }, ["TypeInvalid ~.maxItems"]],
    ["limits beyond 2^53", { type: "integer", maximum: 9223372036854775807n, multipleOf: 9007199254740993n }, []],
    ["parts of anyOf that are not schemas", { type: "string", anyOf: [1] }, ["TypeInvalid ~.anyOf[0]"]],
  ])("judges %s", (_what, field, causes) => {
    expect(found(field)).toEqual(causes);
  });

  it("demands an object at the root", () => {
    expect(validateSchema({ type: "string" }, at).map(({ field }) => field)).toEqual([`${at}.type`]);
    expect(validateSchema({}, at).map(({ reason }) => reason)).toEqual(["FieldValueRequired"]);
  });

  it("lets metadata restrict name and generateName only", () => {
    const withMetadata = (properties: Record<string, StructuralSchema>) =>
      validateSchema({ type: "object", properties: { metadata: { type: "object", properties } } }, at);
    expect(withMetadata({ name: { type: "string", maxLength: 5 } })).toEqual([]);
    expect(withMetadata({ labels: { type: "object" } })).toMatchObject([{ field: `${at}.properties[metadata]` }]);
  });

  it("lets metadata have no description at the root", () => {
    const metadata = { type: "object", description: "Metadata." } as const;
    expect(validateSchema({ type: "object", properties: { metadata } }, at)).toMatchObject([
      { reason: "FieldValueForbidden", field: `${at}.properties[metadata]` },
    ]);
    const embedded = { type: "object", "x-kubernetes-embedded-resource": true, properties: { metadata } } as const;
    expect(validateSchema({ type: "object", properties: { embedded } }, at)).toEqual([]);
  });

  it("wants what is restricted at the root to be declared", () => {
    const root = { type: "object", oneOf: [{ properties: { a: {} } }, { items: {} }] } as const;
    expect(
      validateSchema(root, "~").map(({ reason, field }) => `${reason.replace("FieldValue", "")} ${field}`),
    ).toEqual(["Required ~.properties[a]", "Required ~.items"]);
  });
});

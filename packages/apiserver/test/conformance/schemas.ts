import { expect, it } from "vitest";
import { factsOfDefinitions, factsOfValues, type Tried } from "../schemas/schema-facts.ts";
import type { Section } from "./suite.ts";

/** What is said of definitions with a field of each schema of schema-cases.ts; `~` is the path of the field. */
const definitions: Readonly<Record<string, string>> = {
  textEnumNull: "201",
  mapClosed: "201",
  objectOpen: "201",
  typeNull: "422 FieldValueForbidden ~.type, FieldValueNotSupported ~.type",
  intOrStringPreserving: "422 FieldValueInvalid ~.x-kubernetes-preserve-unknown-fields",
  intOrStringResource:
    "422 FieldValueInvalid ~.x-kubernetes-embedded-resource, FieldValueRequired ~.properties, FieldValueRequired ~.type",
  resourceOfMap: "422 FieldValueForbidden ~.additionalProperties, FieldValueRequired ~.properties",
  resourceMetadataMap: "422 FieldValueForbidden ~.properties[metadata].properties[labels].additionalProperties.default",
  resourceMetadataDefault: "201",
  closedObject: "422 FieldValueForbidden ~.additionalProperties",
  objectAndMap: "422 FieldValueForbidden ~.additionalProperties",
  defaultWrong: "422 FieldValueTypeInvalid ~.default",
  defaultNull: "201",
  defaultNotInEnum: "422 FieldValueNotSupported ~.default",
  defaultNoMatch: "422 FieldValueInvalid ~.default",
  defaultLacks: "422 FieldValueRequired ~.default.a",
  defaultLacksDefaulted: "422 FieldValueRequired ~.default.a",
  defaultLacksDeeper: "422 FieldValueRequired ~.default.b.a",
  defaultUnknownInList: "422 FieldValueInvalid ~.default",
  defaultUnknownPreserved: "201",
  defaultDuplicate: "201",
  defaultOfResource: "422 FieldValueRequired ~.default.apiVersion, FieldValueRequired ~.default.kind",
  defaultOfResourceMetadata: "201",
  defaultBreaksRule: "422 FieldValueInvalid ~.default",
  mapTypeOfAnything: "422 FieldValueRequired ~.type",
  anyOfUndeclared: "201",
  anyOfMetadata: "422 FieldValueForbidden ~.anyOf[0].properties[metadata]",
  reference: "422 FieldValueForbidden ~.$ref",
};

const several = [{ a: "1", b: "2", c: { d: [null] } }, { a: "2" }];
const deep = { a: { a: "1", b: "2" }, b: [{ a: "1", b: "2" }] };
const resource = { apiVersion: "v1", kind: "K" };

/** How a value of a field is written, with the schema of that name, and what becomes of it. */
const asField: readonly (readonly [...Tried, string])[] = [
  ["create", "listPreserving", several, '201 [{"a":"1","b":"2","c":{"d":[null]}},{"a":"2"}]'],
  ["create", "listOfPreserving", several, '201 [{"a":"1","b":"2","c":{"d":[null]}},{"a":"2"}]'],
  [
    "create",
    "listOfObjects",
    several,
    '201 [{"a":"1"},{"a":"2"}] warns unknown field "spec.listOfObjects[0].b"; unknown field "spec.listOfObjects[0].c"',
  ],
  ["strict", "listPreserving", several, '201 [{"a":"1","b":"2","c":{"d":[null]}},{"a":"2"}]'],
  ["strict", "listOfPreserving", several, '201 [{"a":"1","b":"2","c":{"d":[null]}},{"a":"2"}]'],
  ["strict", "listOfObjects", several, "400"],
  ["apply", "listPreserving", several, '201 [{"a":"1","b":"2","c":{"d":[null]}},{"a":"2"}] owns {}'],
  ["apply", "listOfPreserving", several, '201 [{"a":"1","b":"2","c":{"d":[null]}},{"a":"2"}] owns {}'],
  ["apply", "listOfObjects", several, "500"],
  [
    "create",
    "listPreservingLists",
    [[{ a: "1", b: "2" }], null],
    "422 FieldValueTypeInvalid spec.listPreservingLists[1]",
  ],
  ["create", "listsPreserving", [[{ a: "1", b: "2" }]], '201 [[{"a":"1","b":"2"}]]'],
  [
    "create",
    "listPreservingMaps",
    [{ v: { a: "1", b: "2" } }],
    '201 [{"v":{"a":"1"}}] warns unknown field "spec.listPreservingMaps[0].v.b"',
  ],
  [
    "create",
    "listPreservingNested",
    [{ b: { a: "1", b: "2" } }],
    '201 [{"b":{"a":"1"}}] warns unknown field "spec.listPreservingNested[0].b.b"',
  ],
  ["create", "listPreservingDefault", [{ b: "1" }], '201 [{"b":"1","z":"d"}]'],
  ["create", "keyedPreserving", [{ a: "1", b: "2" }], '201 [{"a":"1","b":"2"}]'],
  [
    "create",
    "mapPreserving",
    { v: { a: "1", b: "2" } },
    '201 {"v":{"a":"1"}} warns unknown field "spec.mapPreserving.v.b"',
  ],
  [
    "create",
    "objectPreservingNested",
    deep,
    '201 {"a":{"a":"1"},"b":[{"a":"1"}]} warns unknown field "spec.objectPreservingNested.a.b"; unknown field "spec.objectPreservingNested.b[0].b"',
  ],
  ["create", "mapOfAnything", { v: { a: "1" } }, '201 {"v":{}} warns unknown field "spec.mapOfAnything.v.a"'],
  ["create", "mapClosed", { v: "1" }, "422 FieldValueInvalid spec.mapClosed"],
  ["create", "objectOpen", { a: "1", v: { b: 1 } }, '201 {"a":"1","v":{}} warns unknown field "spec.objectOpen.v.b"'],
  ["create", "objectFree", { v: 1 }, '201 {} warns unknown field "spec.objectFree.v"'],
  ["create", "textEnumNull", null, "201 nothing"],
  ["create", "textEnumNullable", null, "422 FieldValueNotSupported spec.textEnumNullable"],
  ["create", "text", null, "201 nothing"],
  ["create", "textDefault", null, '201 "d"'],
  ["create", "anything", null, "201 nothing"],
  ["create", "map", { a: null }, "201 {}"],
  ["create", "int32", 2147483648, "422 FieldValueInvalid <nil>"],
  ["create", "int32", 1.5, "422 FieldValueInvalid <nil>, FieldValueTypeInvalid spec.int32"],
  ["create", "bytes", "", "422 FieldValueTypeInvalid spec.bytes"],
  ["create", "time", 1, "422 FieldValueTypeInvalid spec.time"],
  ["create", "intOrString", {}, "422 FieldValueTypeInvalid spec.intOrString"],
  ["create", "textLengths", "bbb", "422 FieldValueTooLong spec.textLengths"],
  ["create", "keyed", ["a"], "422 FieldValueInvalid spec.keyed[0], FieldValueTypeInvalid spec.keyed[0]"],
  ["create", "keyedDefault", [{ a: null }], '201 [{"a":"d"}]'],
  ["create", "set", [null], "422 FieldValueTypeInvalid spec.set[0]"],
  ["create", "resource", { ...resource, metadata: 1 }, "400"],
  [
    "create",
    "resourcePreserving",
    { ...resource, metadata: { name: "n", v: 1 }, v: 1 },
    '201 {"apiVersion":"v1","kind":"K","metadata":{"name":"n"},"v":1} warns unknown field "spec.resourcePreserving.metadata.v"',
  ],
  [
    "apply",
    "listPreservingLists",
    [[{ a: "1", b: "2" }], null],
    "422 FieldValueTypeInvalid spec.listPreservingLists[1]",
  ],
  ["apply", "listsPreserving", [[{ a: "1", b: "2" }]], '201 [[{"a":"1","b":"2"}]] owns {}'],
  ["apply", "listPreservingMaps", [{ v: { a: "1", b: "2" } }], '201 [{"v":{"a":"1"}}] owns {}'],
  ["apply", "listPreservingNested", [{ b: { a: "1", b: "2" } }], '201 [{"b":{"a":"1"}}] owns {}'],
  ["apply", "listPreservingDefault", [{ b: "1" }], '201 [{"b":"1","z":"d"}] owns {}'],
  [
    "apply",
    "keyedPreserving",
    [{ a: "1", b: "2" }],
    '201 [{"a":"1","b":"2"}] owns {"k:{\\"a\\":\\"1\\"}":{".":{},"f:a":{},"f:b":{}}}',
  ],
  ["apply", "mapPreserving", { v: { a: "1", b: "2" } }, '201 {"v":{"a":"1"}} owns {"f:v":{".":{},"f:a":{},"f:b":{}}}'],
  [
    "apply",
    "objectPreservingNested",
    deep,
    '201 {"a":{"a":"1"},"b":[{"a":"1"}]} owns {"f:a":{"f:a":{},"f:b":{}},"f:b":{}}',
  ],
  ["apply", "mapOfAnything", { v: { a: "1" } }, '201 {"v":{}} owns {"f:v":{".":{},"f:a":{}}}'],
  ["apply", "mapClosed", { v: "1" }, "500"],
  ["apply", "objectOpen", { a: "1", v: { b: 1 } }, '201 {"a":"1","v":{}} owns {"f:a":{},"f:v":{".":{},"f:b":{}}}'],
  ["apply", "objectFree", { v: 1 }, '201 {} owns {"f:v":{}}'],
  [
    "apply",
    "textEnumNull",
    null,
    "422 FieldValueNotSupported spec.textEnumNull, FieldValueTypeInvalid spec.textEnumNull",
  ],
  ["apply", "textEnumNullable", null, "422 FieldValueNotSupported spec.textEnumNullable"],
  ["apply", "text", null, "422 FieldValueTypeInvalid spec.text"],
  ["apply", "textDefault", null, '201 "d" owns {}'],
  ["apply", "anything", null, "201 nothing owns {}"],
  ["apply", "map", { a: null }, "422 FieldValueTypeInvalid spec.map.a"],
  ["apply", "int32", 2147483648, "422 FieldValueInvalid <nil>"],
  ["apply", "int32", 1.5, "422 FieldValueInvalid <nil>, FieldValueTypeInvalid spec.int32"],
  ["apply", "bytes", "", "422 FieldValueTypeInvalid spec.bytes"],
  ["apply", "time", 1, "422 FieldValueTypeInvalid spec.time"],
  ["apply", "intOrString", {}, "422 FieldValueTypeInvalid spec.intOrString"],
  ["apply", "textLengths", "bbb", "422 FieldValueTooLong spec.textLengths"],
  ["apply", "keyed", ["a"], "500"],
  ["apply", "keyedDefault", [{ a: null }], '201 [{"a":"d"}] owns {"k:{\\"a\\":null}":{".":{},"f:a":{}}}'],
  ["apply", "set", [null], "500"],
  ["apply", "resource", { ...resource, metadata: 1 }, "500"],
  ["apply", "resourcePreserving", { ...resource, metadata: { name: "n", v: 1 }, v: 1 }, "500"],
];

/** The same as an item of a list that preserves unknown fields. */
const asPreservedItem: readonly (readonly [...Tried, string])[] = [
  ["create", "listPreserving", several, '201 [[{"a":"1","b":"2","c":{"d":[null]}},{"a":"2"}]]'],
  ["create", "listOfObjects", several, '201 [[{"a":"1","b":"2","c":{"d":[null]}},{"a":"2"}]]'],
  [
    "create",
    "listPreservingNested",
    [{ b: { a: "1", b: "2" } }],
    '201 [[{"b":{"a":"1"}}]] warns unknown field "spec.listPreservingNested[0][0].b.b"',
  ],
  [
    "create",
    "mapPreserving",
    { v: { a: "1", b: "2" } },
    '201 [{"v":{"a":"1"}}] warns unknown field "spec.mapPreserving[0].v.b"',
  ],
  ["create", "mapOfAnything", { v: { a: "1" } }, '201 [{"v":{}}] warns unknown field "spec.mapOfAnything[0].v.a"'],
  ["create", "objectFree", { v: 1 }, '201 [{"v":1}]'],
  [
    "create",
    "textEnumNull",
    null,
    "422 FieldValueNotSupported spec.textEnumNull[0], FieldValueTypeInvalid spec.textEnumNull[0]",
  ],
  ["create", "text", null, "422 FieldValueTypeInvalid spec.text[0]"],
  ["create", "textDefault", null, '201 ["d"]'],
  ["create", "anything", null, "201 [null]"],
  ["create", "map", { a: null }, "201 [{}]"],
  ["create", "keyed", ["a"], "422 FieldValueInvalid spec.keyed[0][0], FieldValueTypeInvalid spec.keyed[0][0]"],
];

/** Schemas: each setting, where it may stand and what it makes of values. All of it, in every place, is compared in schemas.real.ts. */
export const schemas: Section = (suite) => {
  it("are taken or refused in a definition", async () => {
    expect(await factsOfDefinitions(suite().api, Object.keys(definitions), "field")).toEqual(definitions);
  });

  it("may have any default for the values of a map", async () => {
    const names = Object.keys(definitions).filter((name) => name.startsWith("default"));
    const facts = await factsOfDefinitions(suite().api, names, "mapValue");
    expect(new Set(Object.values(facts))).toEqual(new Set(["201"]));
  });

  it.each([
    ["field", asField],
    ["preservedItem", asPreservedItem],
  ] as const)("make of the value of a %s what they say", async (place, table) => {
    const tried = table.map(([way, field, value]): Tried => [way, field, value]);
    const expected = table.map(([way, field, value, fact]) => [`${way} ${field} ${JSON.stringify(value)}`, fact]);
    expect(await factsOfValues(suite().api, tried, place)).toEqual(Object.fromEntries(expected));
  });
};

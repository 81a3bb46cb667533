/** Schemas of one field, each with what is particular about it. */
export type Node = Readonly<Record<string, unknown>>;

const preserving = { "x-kubernetes-preserve-unknown-fields": true } as const;
const text = { type: "string" } as const;
const declared = { type: "object", properties: { a: text } } as const;
const embedded = { type: "object", "x-kubernetes-embedded-resource": true } as const;
const keyed = (properties: object, more: object = {}) => ({
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["a"],
  items: { type: "object", properties, ...more },
});

/** Schemas that a definition may have. */
export const nodes: Readonly<Record<string, Node>> = {
  text,
  textDefault: { ...text, default: "d" },
  textNullable: { ...text, nullable: true },
  textNullableDefault: { ...text, nullable: true, default: "d" },
  textEnum: { ...text, enum: ["a", "1"] },
  textEnumNull: { ...text, enum: ["a", null] },
  textEnumNullable: { ...text, nullable: true, enum: ["a", null] },
  textLengths: { ...text, minLength: 1, maxLength: 2, pattern: "^a" },
  time: { ...text, format: "date-time" },
  bytes: { ...text, format: "byte" },
  unknownFormat: { ...text, format: "nothing" },
  integer: { type: "integer" },
  int32: { type: "integer", format: "int32" },
  bounded: { type: "integer", minimum: 1, maximum: 2, multipleOf: 1 },
  number: { type: "number" },
  flag: { type: "boolean" },
  flagDefault: { type: "boolean", default: false },
  intOrString: { "x-kubernetes-int-or-string": true },
  intOrStringAnyOf: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
  object: declared,
  objectNullable: { ...declared, nullable: true },
  objectDefault: { ...declared, default: {} },
  objectInnerDefault: { type: "object", properties: { a: { ...text, default: "d" } } },
  objectDefaults: { type: "object", default: {}, properties: { a: { ...text, default: "d" } } },
  objectRequired: { ...declared, required: ["a"] },
  objectRequiredDefault: { ...declared, required: ["a"], default: { a: "d" } },
  objectSizes: { type: "object", additionalProperties: text, minProperties: 1, maxProperties: 1 },
  objectFree: { type: "object" },
  objectPreserving: { type: "object", ...preserving },
  objectPreservingDeclared: { ...declared, ...preserving },
  objectPreservingNested: {
    type: "object",
    ...preserving,
    properties: { a: declared, b: { type: "array", items: declared } },
  },
  anything: preserving,
  anythingDeclared: { ...preserving, properties: { a: text } },
  map: { type: "object", additionalProperties: text },
  mapDefault: { type: "object", additionalProperties: { ...text, default: "d" } },
  mapNullable: { type: "object", additionalProperties: { ...text, nullable: true } },
  mapOfObjects: { type: "object", additionalProperties: declared },
  mapOfPreserving: { type: "object", additionalProperties: { ...declared, ...preserving } },
  mapPreserving: { type: "object", additionalProperties: declared, ...preserving },
  mapOfAnything: { type: "object", additionalProperties: true },
  mapAtomic: { type: "object", additionalProperties: text, "x-kubernetes-map-type": "atomic" },
  objectAtomic: { ...declared, "x-kubernetes-map-type": "atomic" },
  resource: { ...embedded, properties: { a: text } },
  resourcePreserving: { ...embedded, ...preserving },
  resourceDeclared: { ...embedded, ...preserving, properties: { metadata: { type: "object" }, a: text } },
  list: { type: "array", items: text },
  listDefault: { type: "array", items: { ...text, default: "d" } },
  listNullable: { type: "array", items: { ...text, nullable: true } },
  listSizes: { type: "array", items: text, minItems: 1, maxItems: 1 },
  listAtomic: { type: "array", items: declared, "x-kubernetes-list-type": "atomic" },
  listOfObjects: { type: "array", items: declared },
  listOfPreserving: { type: "array", items: { ...declared, ...preserving } },
  listPreserving: { type: "array", items: declared, ...preserving },
  listPreservingLists: { type: "array", items: { type: "array", items: declared }, ...preserving },
  listsPreserving: { type: "array", items: { type: "array", items: declared, ...preserving } },
  listPreservingMaps: { type: "array", items: { type: "object", additionalProperties: declared }, ...preserving },
  listPreservingNested: {
    type: "array",
    items: { type: "object", properties: { a: text, b: declared } },
    ...preserving,
  },
  listPreservingRequired: { type: "array", items: { ...declared, required: ["b"] }, ...preserving },
  listPreservingDefault: {
    type: "array",
    items: { type: "object", properties: { z: { ...text, default: "d" } } },
    ...preserving,
  },
  listOfResources: { type: "array", items: { ...embedded, ...preserving } },
  listPreservingResources: { type: "array", items: { ...embedded, properties: { a: text } }, ...preserving },
  set: { type: "array", items: text, "x-kubernetes-list-type": "set" },
  keyed: keyed({ a: text }, { required: ["a"] }),
  keyedDefault: keyed({ a: { ...text, default: "d" } }),
  keyedPreserving: { ...keyed({ a: text }, { required: ["a"] }), ...preserving },
  mapClosed: { type: "object", additionalProperties: false },
  objectOpen: { ...declared, additionalProperties: true },
  oneOf: { type: "object", properties: { a: text, b: text }, oneOf: [{ required: ["a"] }, { required: ["b"] }] },
  not: { ...text, not: { enum: ["a"] } },
};

/** Further schemas for definitions alone: most are refused, at least in some places. */
export const refusedNodes: Readonly<Record<string, Node>> = {
  nothing: {},
  typeNull: { type: "null" },
  typeUnknown: { type: "text" },
  listWithoutItems: { type: "array" },
  listOfNothing: { type: "array", items: {} },
  listPreservingNothing: { type: "array", items: {}, ...preserving },
  notPreserving: { ...declared, "x-kubernetes-preserve-unknown-fields": false },
  intOrStringPreserving: { "x-kubernetes-int-or-string": true, ...preserving },
  intOrStringResource: { "x-kubernetes-int-or-string": true, "x-kubernetes-embedded-resource": true },
  resourceEmpty: embedded,
  resourceOfText: { ...text, "x-kubernetes-embedded-resource": true, ...preserving },
  resourceOfMap: { ...embedded, additionalProperties: text },
  resourceMetadata: { ...embedded, properties: { metadata: text, kind: { type: "integer" } } },
  resourceMetadataDefault: { ...embedded, properties: { metadata: { type: "object", default: {} }, a: text } },
  resourceMetadataMap: {
    ...embedded,
    properties: {
      metadata: {
        type: "object",
        properties: { labels: { type: "object", additionalProperties: { ...text, default: "d" } } },
      },
    },
  },
  resourceKindDefault: { ...embedded, properties: { kind: { ...text, default: "K" }, a: text } },
  closedObject: { ...declared, additionalProperties: false },
  objectAndMap: { ...declared, additionalProperties: text },
  defaultWrong: { ...text, default: 1 },
  defaultNull: { ...text, default: null },
  defaultNullNullable: { ...text, nullable: true, default: null },
  defaultNotInEnum: { ...text, enum: ["a"], default: "b" },
  defaultTooLong: { ...text, maxLength: 1, default: "ab" },
  defaultNoMatch: { ...text, pattern: "^a$", default: "b" },
  defaultLacks: { ...declared, required: ["a"], default: {} },
  defaultLacksDefaulted: { type: "object", required: ["a"], properties: { a: { ...text, default: "d" } }, default: {} },
  defaultLacksDeeper: {
    type: "object",
    properties: { b: { ...declared, required: ["a"] } },
    default: { b: {} },
  },
  defaultUnknown: { ...declared, default: { b: "1" } },
  defaultUnknownInList: { type: "array", items: declared, default: [{ a: "1", b: "2" }] },
  defaultUnknownPreserved: { type: "array", items: declared, ...preserving, default: [{ a: "1", b: "2" }] },
  defaultInItems: { type: "array", items: { ...declared, default: { b: 1 } } },
  defaultDuplicate: { type: "array", items: text, "x-kubernetes-list-type": "set", default: ["a", "a"] },
  defaultOfResource: { ...embedded, ...preserving, default: { a: 1 } },
  defaultOfResourceMetadata: {
    ...embedded,
    ...preserving,
    default: { apiVersion: "v1", kind: "K", metadata: { foo: 1 } },
  },
  defaultIntOrString: { "x-kubernetes-int-or-string": true, default: true },
  defaultBreaksRule: { ...text, default: "b", "x-kubernetes-validations": [{ rule: "self == 'a'" }] },
  setOfObjects: { type: "array", items: declared, "x-kubernetes-list-type": "set" },
  setNullable: { type: "array", items: { ...text, nullable: true }, "x-kubernetes-list-type": "set" },
  keyedWithoutKeys: { type: "array", items: declared, "x-kubernetes-list-type": "map" },
  keyedOptional: keyed({ a: text }),
  keyedNullable: keyed({ a: { ...text, nullable: true } }, { required: ["a"] }),
  keyedOfObjects: keyed({ a: declared }, { required: ["a"] }),
  keyedMissing: keyed({ b: text }),
  keysOnly: { type: "array", items: declared, "x-kubernetes-list-map-keys": ["a"] },
  listTypeOfText: { ...text, "x-kubernetes-list-type": "set" },
  listTypeUnknown: { type: "array", items: text, "x-kubernetes-list-type": "bag" },
  mapTypeOfText: { ...text, "x-kubernetes-map-type": "atomic" },
  mapTypeOfAnything: { ...preserving, "x-kubernetes-map-type": "atomic" },
  mapTypeUnknown: { ...declared, "x-kubernetes-map-type": "loose" },
  uniqueItems: { type: "array", items: text, uniqueItems: true },
  patternWrong: { ...text, pattern: "(" },
  anyOfType: { ...text, anyOf: [{ type: "string" }] },
  anyOfDefault: { ...text, anyOf: [{ default: "a" }] },
  anyOfNullable: { ...text, anyOf: [{ nullable: true }] },
  anyOfPreserving: { ...declared, anyOf: [preserving] },
  anyOfMap: { ...declared, anyOf: [{ additionalProperties: { minLength: 1 } }] },
  anyOfUndeclared: { ...declared, anyOf: [{ properties: { b: { minLength: 1 } } }] },
  anyOfMetadata: {
    type: "object",
    properties: { metadata: declared },
    anyOf: [{ properties: { metadata: { minProperties: 1 } } }],
  },
  anyOfItems: { ...text, anyOf: [{ items: { minLength: 1 } }] },
  notType: { ...text, not: { type: "string" } },
  reference: { $ref: "#/a" },
  withId: { ...text, id: "a" },
  withDefinitions: { ...text, definitions: { a: text } },
  withPatternProperties: { ...declared, patternProperties: { a: text } },
  withDependencies: { ...declared, dependencies: { a: ["b"] } },
};

const ref = { apiVersion: "v1", kind: "ConfigMap" };

/** Values for every schema, right for some. */
export const values: readonly unknown[] = [
  null,
  "a",
  "",
  "abc",
  "2026-01-01T00:00:00Z",
  "YQ==",
  1,
  3,
  1.5,
  2 ** 31,
  true,
  {},
  { a: "1" },
  { a: "1", b: "2", c: { d: null } },
  { a: null },
  { a: { a: "1", b: "2" }, b: [{ a: "1", b: "2" }] },
  { ...ref, metadata: { name: "n", foo: 1 }, a: "1", b: "2" },
  { ...ref, metadata: { finalizers: ["b"], labels: { a: "b" } } },
  { metadata: { name: "n" } },
  { ...ref, metadata: 1 },
  { ...ref, metadata: null },
  { ...ref, apiVersion: null },
  [],
  ["a"],
  ["a", "a"],
  [null],
  [1],
  [{}],
  [{ a: "1" }],
  [{ a: "1", b: "2", c: { d: [null] } }, { a: "2" }],
  [{ a: "1" }, { a: "1" }],
  [{ a: null }],
  [[{ a: "1", b: "2" }], null],
  [{ a: { a: "1", b: "2" } }],
  [{ ...ref, metadata: { name: "n", foo: 1 }, a: "1", b: "2" }],
];

/** Where a schema stands: the schema around it, and the value around its value. */
export interface Place {
  readonly node: (node: Node) => Node;
  readonly value: (value: unknown) => unknown;
}

const inList = (more: object = {}): Place => ({
  node: (node) => ({ type: "array", items: node, ...more }),
  value: (value) => [value],
});

/** An item of a keyed list. */
const inItem: Place = {
  node: (node) => ({
    type: "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["k"],
    items: { type: "object", required: ["k"], properties: { k: text, v: node } },
  }),
  value: (value) => [{ k: "k", v: value }],
};

const inObject = (more: object = {}): Place => ({
  node: (node) => ({ type: "object", properties: { v: node }, ...more }),
  value: (value) => ({ v: value }),
});

export const places: Readonly<Record<string, Place>> = {
  field: { node: (node) => node, value: (value) => value },
  member: inObject(),
  preservingMember: inObject(preserving),
  defaultedMember: inObject({ default: {} }),
  mapValue: {
    node: (node) => ({ type: "object", additionalProperties: node }),
    value: (value) => ({ v: value }),
  },
  item: inList(),
  preservedItem: inList(preserving),
  keyedMember: inItem,
  resourceMember: {
    node: (node) => ({ type: "object", "x-kubernetes-embedded-resource": true, properties: { v: node } }),
    value: (value) => ({ ...ref, v: value }),
  },
};

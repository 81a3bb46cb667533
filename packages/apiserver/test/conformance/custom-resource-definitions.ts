import { expect, it } from "vitest";
import { eventually, expectCode, expectPageNotFound, expectStatus } from "./expectations.ts";
import type { Section } from "./suite.ts";

const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const group = "h.capstan.test";
const text = { type: "string" };
const at = "spec.validation.openAPIV3Schema.properties[spec]";

const versionOf = (spec: object, more: object = {}): object => ({
  name: "v1",
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
  ...more,
});

const definition = (plural: string, spec: object = {}): object => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: "Namespaced",
    names: { plural, kind: `K${plural}` },
    versions: [versionOf({ type: "object", properties: { a: text } })],
    ...spec,
  },
});

const withSpec = (spec: object): object => ({ versions: [versionOf({ type: "object", ...spec })] });
const withField = (field: object): object => withSpec({ properties: { a: field } });
const withVersion = (more: object): object => ({
  versions: [versionOf({ type: "object", properties: { a: text } }, more)],
});
const withRule = (rule: object, properties: object = { a: text }): object =>
  withSpec({ properties, "x-kubernetes-validations": [rule] });
const ruleAt = `${at}.x-kubernetes-validations[0]`;
const list = (more: object): object => ({ type: "array", items: { type: "object", properties: { k: text } }, ...more });

/** Specs that are refused, and causes that must be among them. */
const refused: readonly (readonly [string, object, readonly string[]])[] = [
  ["H20 name", { names: { plural: "others", kind: "K" } }, ["FieldValueInvalid metadata.name"]],
  [
    "H21 no schema",
    { versions: [{ name: "v1", served: true, storage: true }] },
    ["FieldValueRequired spec.versions[0].schema.openAPIV3Schema"],
  ],
  ["H22 field without type", withField({}), [`FieldValueRequired ${at}.properties[a].type`]],
  [
    "H23 properties with additionalProperties",
    withSpec({ properties: { a: text }, additionalProperties: text }),
    [`FieldValueForbidden ${at}.additionalProperties`],
  ],
  ["H24 $ref", withField({ ...text, $ref: "#/a" }), [`FieldValueForbidden ${at}.properties[a].$ref`]],
  [
    "H24 uniqueItems",
    withField({ ...list({}), uniqueItems: true }),
    [`FieldValueForbidden ${at}.properties[a].uniqueItems`],
  ],
  ["H24 array without items", withField({ type: "array" }), [`FieldValueRequired ${at}.properties[a].items`]],
  [
    "H25 type inside anyOf",
    withField({ ...text, anyOf: [{ type: "string" }] }),
    [`FieldValueForbidden ${at}.properties[a].anyOf[0].type`],
  ],
  [
    "H26 no storage version",
    withVersion({ storage: false }),
    ["FieldValueInvalid spec.versions", "FieldValueInvalid status.storedVersions"],
  ],
  [
    "H26 two storage versions",
    {
      versions: ["v1", "v2"].map((name) => versionOf({ type: "object", properties: { a: text } }, { name })),
    },
    ["FieldValueInvalid spec.versions", "FieldValueInvalid status.storedVersions"],
  ],
  ["H27 scope", { scope: "Foo" }, ["FieldValueNotSupported spec.scope"]],
  ["H27 plural", { names: { plural: "Things", kind: "K" } }, ["FieldValueInvalid spec.names.plural"]],
  ["H27 version", withVersion({ name: "V1" }), ["FieldValueInvalid spec.versions[0].name"]],
  [
    "H28 list map without keys",
    withField(list({ "x-kubernetes-list-type": "map" })),
    [`FieldValueRequired ${at}.properties[a].x-kubernetes-list-map-keys`],
  ],
  [
    "H28 key that may be absent",
    withField(list({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"] })),
    [`FieldValueRequired ${at}.properties[a].items.properties[k].default`],
  ],
  [
    "H29 list type",
    withField(list({ "x-kubernetes-list-type": "foo" })),
    [`FieldValueNotSupported ${at}.properties[a].x-kubernetes-list-type`],
  ],
  ["H30 default of a wrong type", withField({ ...text, default: 5 }), []],
  ["H30 default with an unknown member", withField({ type: "object", properties: { k: text }, default: { z: 1 } }), []],
  ["H31 pattern", withField({ ...text, pattern: "([" }), [`FieldValueInvalid ${at}.properties[a].pattern`]],
  ["H31 lookahead", withField({ ...text, pattern: "a(?=b)" }), [`FieldValueInvalid ${at}.properties[a].pattern`]],
  ["H32 preserveUnknownFields", { preserveUnknownFields: true }, ["FieldValueInvalid spec.preserveUnknownFields"]],
  ["H34 syntax error", withRule({ rule: "self.a ==" }), [`FieldValueInvalid ${ruleAt}.rule`]],
  ["H34 undefined field", withRule({ rule: "self.b == 'x'" }), [`FieldValueInvalid ${ruleAt}.rule`]],
  ["H34 not bool", withRule({ rule: "self.a" }), [`FieldValueInvalid ${ruleAt}.rule`]],
  ["H34 type mismatch", withRule({ rule: "self.a == 1" }), [`FieldValueInvalid ${ruleAt}.rule`]],
  [
    "H35 messageExpression",
    withRule({ rule: "true", messageExpression: "1" }),
    [`FieldValueInvalid ${ruleAt}.messageExpression`],
  ],
  ["H35 fieldPath", withRule({ rule: "true", fieldPath: ".b" }), [`FieldValueInvalid ${ruleAt}.fieldPath`]],
  ["H35 reason", withRule({ rule: "true", reason: "Bad" }), [`FieldValueNotSupported ${ruleAt}.reason`]],
  [
    "H36 four nested loops",
    withRule(
      { rule: "self.l.all(a, self.l.all(b, self.l.all(c, self.l.all(d, a == d))))" },
      { l: { type: "array", items: text } },
    ),
    [`FieldValueForbidden ${ruleAt}.rule`],
  ],
  [
    "H37 oldSelf in an atomic list",
    withField({
      type: "array",
      maxItems: 5,
      items: { ...text, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] },
    }),
    [`FieldValueInvalid ${at}.properties[a].items.x-kubernetes-validations[0].rule`],
  ],
  ["H39 Webhook without config", { conversion: { strategy: "Webhook" } }, []],
  [
    "H39 http URL",
    {
      conversion: {
        strategy: "Webhook",
        webhook: { conversionReviewVersions: ["v1"], clientConfig: { url: "http://a.b" } },
      },
    },
    [],
  ],
  ["H40 column type", withVersion({ additionalPrinterColumns: [{ name: "A", type: "foo", jsonPath: ".spec.a" }] }), []],
  [
    "H40 column path",
    withVersion({ additionalPrinterColumns: [{ name: "A", type: "string", jsonPath: "spec.a" }] }),
    [],
  ],
  [
    "H40 scale path",
    withVersion({ subresources: { scale: { specReplicasPath: "spec.r", statusReplicasPath: ".status.r" } } }),
    [],
  ],
  ["H41 selectable field that is missing", withVersion({ selectableFields: [{ jsonPath: ".spec.b" }] }), []],
  ["H41 selectable object", withVersion({ selectableFields: [{ jsonPath: ".spec" }] }), []],
  ["H42 deprecationWarning", withVersion({ deprecationWarning: "old" }), []],
];

/** Definitions. */
export const customResourceDefinitions: Section = (suite) => {
  it.each(refused)("%s", async (_, spec, causes) => {
    const answer = await suite().api.post(crds, definition("things", spec));
    expectStatus(answer, 422, { reason: "Invalid", someCauses: causes });
  });

  it("H33 restricts the name in metadata and nothing else", async () => {
    const { api } = suite();
    const withMetadata = (metadata: object) =>
      withVersion({ schema: { openAPIV3Schema: { type: "object", properties: { metadata } } } });
    const named = withMetadata({ type: "object", properties: { name: { ...text, maxLength: 5 } } });
    expectCode(await api.post(crds, definition("h33s", named)), 201);
    const objects = `/apis/${group}/v1/namespaces/${suite().namespace}/h33s`;
    const object = (name: string) => ({ apiVersion: `${group}/v1`, kind: "Kh33s", metadata: { name } });
    await eventually(async () => expectCode(await api.post(objects, object("short")), 201));
    expectStatus(await api.post(objects, object("longer")), 422, { someCauses: ["FieldValueTooLong metadata.name"] });
    const labelled = withMetadata({
      type: "object",
      properties: { labels: { type: "object", additionalProperties: text } },
    });
    expectStatus(await api.post(crds, definition("h33b", labelled)), 422);
    const explained = withMetadata({ type: "object", description: "Metadata." });
    expectStatus(await api.post(crds, definition("h33d", explained)), 422, {
      causes: [`FieldValueForbidden ${at.replace("[spec]", "[metadata]")}`],
    });
  });

  it("H22 takes an int-or-string that has a type as one", async () => {
    const { api, namespace } = suite();
    const size = { type: "string", "x-kubernetes-int-or-string": true };
    expectCode(await api.post(crds, definition("sizes", withField(size))), 201);
    const path = `/apis/${group}/v1/namespaces/${namespace}/sizes`;
    const body = { apiVersion: `${group}/v1`, kind: "Ksizes", metadata: { name: "s" } };
    await eventually(async () => expectCode(await api.get(path), 200));
    const dryRun = { query: { dryRun: "All" } };
    expectCode(await api.post(path, { ...body, spec: { a: "5Gi" } }, dryRun), 201);
    expectCode(await api.post(path, { ...body, spec: { a: 5 } }, dryRun), 201);
  });

  it("H38 protects the groups of Kubernetes", async () => {
    const crd = definition("things", { group: "foo.k8s.io" });
    const answer = await suite().api.post(crds, { ...crd, metadata: { name: "things.foo.k8s.io" } });
    expectStatus(answer, 422, { causes: ["FieldValueRequired metadata.annotations[api-approved.kubernetes.io]"] });
  });

  it("H43 fills in names", async () => {
    const answer = await suite().api.post(crds, definition("h43s"));
    expect(answer.body.spec.names).toMatchObject({ singular: "kh43s", listKind: "Kh43sList" });
  });

  it("H44 converts by the name only, and reads by the storage schema", async () => {
    const { api, namespace } = suite();
    const v2 = versionOf(
      { type: "object", properties: { a: { ...text, default: "d" }, b: text } },
      { name: "v2", storage: false },
    );
    const versions = [versionOf({ type: "object", properties: { a: text } }), v2];
    expectCode(await api.post(crds, definition("h44s", { versions })), 201);
    const path = (version: string) => `/apis/${group}/${version}/namespaces/${namespace}/h44s`;
    const object = { apiVersion: `${group}/v1`, kind: "Kh44s", metadata: { name: "x" }, spec: {} };
    await eventually(async () => expectCode(await api.post(path("v1"), object), 201));
    expect((await api.get(`${path("v2")}/x`)).body).toMatchObject({ apiVersion: `${group}/v2`, spec: {} });
    const newer = { ...object, apiVersion: `${group}/v2`, metadata: { name: "y" }, spec: { b: "lost" } };
    expectCode(await api.post(path("v2"), newer), 201);
    expect((await api.get(`${path("v2")}/y`)).body.spec).toEqual({ a: "d" });
    expect((await api.get(`${path("v1")}/y`)).body).toMatchObject({ apiVersion: `${group}/v1`, spec: { a: "d" } });
  });

  it("H45 and H46 keep what objects are stored in", async () => {
    const { api } = suite();
    const path = `${crds}/h45s.${group}`;
    const schema = { type: "object", properties: { a: text } };
    const versions = (storage: string) =>
      ["v1", "v2"].map((name) => versionOf(schema, { name, storage: name === storage }));
    await api.post(crds, definition("h45s", { versions: versions("v1") }));
    await eventually(async () => {
      const established = expect.objectContaining({ type: "Established", status: "True" });
      expect((await api.get(path)).body.status.conditions).toEqual(expect.arrayContaining([established]));
    });
    expectStatus(await api.mergePatch(path, { spec: { scope: "Cluster" } }), 422, {
      causes: ["FieldValueInvalid spec.scope"],
    });
    expectStatus(await api.mergePatch(path, { spec: { names: { kind: "Other" } } }), 422, {
      someCauses: ["FieldValueInvalid spec.names.kind"],
    });
    const switched = await api.mergePatch(path, { spec: { versions: versions("v2") } });
    expect(switched.body.status.storedVersions).toEqual(["v1", "v2"]);
    const only = { spec: { versions: versions("v2").slice(1) } };
    expectStatus(await api.mergePatch(path, only), 422, { causes: ["FieldValueInvalid status.storedVersions[0]"] });
    expectCode(await api.mergePatch(`${path}/status`, { status: { storedVersions: ["v2"] } }), 200);
    expectCode(await api.mergePatch(path, only), 200);
  });

  it("H47 goes with its objects", async () => {
    const { api, namespace } = suite();
    expectCode(await api.post(crds, definition("h47s")), 201);
    const objects = `/apis/${group}/v1/namespaces/${namespace}/h47s`;
    const object = { apiVersion: `${group}/v1`, kind: "Kh47s", metadata: { name: "x", finalizers: ["h.test/hold"] } };
    await eventually(async () => expectCode(await api.post(objects, object), 201));
    const path = `${crds}/h47s.${group}`;
    expectCode(await api.delete(path), 200);
    const { body } = await api.get(path);
    expect(body.status.conditions).toEqual(
      expect.arrayContaining([expect.objectContaining({ type: "Terminating", status: "True" })]),
    );
    const another = { ...object, metadata: { name: "y" } };
    await eventually(async () => expectCode(await api.post(objects, another, { query: { dryRun: "All" } }), 403));
    await eventually(async () => expect((await api.get(`${objects}/x`)).body.metadata.deletionTimestamp).toBeDefined());
    await api.mergePatch(`${objects}/x`, { metadata: { finalizers: null } });
    await eventually(async () => expectCode(await api.get(path), 404));
    await eventually(async () => expectPageNotFound(await api.get(objects)));
  });
};

import type { StructuralSchema } from "@capstan/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { customResources } from "../../src/crd/custom-resources.ts";
import { crds, refusal, thingDefinition, version } from "./definitions.ts";
import { serverWith, type TestServer } from "./server-with.ts";

let server: TestServer;

beforeAll(async () => {
  server = await serverWith(customResources());
});

afterAll(() => server.stop());

const object = (properties: Readonly<Record<string, unknown>>, more: StructuralSchema = {}): StructuralSchema =>
  ({ type: "object", properties, ...more }) as StructuralSchema;
const inSpec = (properties: Readonly<Record<string, unknown>>, more?: StructuralSchema) => ({
  versions: [version(object(properties, more))],
});
const at = "spec.validation.openAPIV3Schema.properties[spec]";
const text = { type: "string" } as const;
const v2 = (more: object) => version(object({ a: text }), { name: "v2", storage: false, ...more });

/** What is refused, and the causes: reason and field. */
const refused: readonly (readonly [string, object, readonly string[]])[] = [
  ["name is not plural.group", { names: { plural: "others", kind: "Thing" } }, ["FieldValueInvalid metadata.name"]],
  [
    "no schema",
    { versions: [{ name: "v1", served: true, storage: true }] },
    ["FieldValueRequired spec.versions[0].schema.openAPIV3Schema"],
  ],
  ["field without type", inSpec({ a: {} }), [`FieldValueRequired ${at}.properties[a].type`]],
  ["$ref", inSpec({ a: { ...text, $ref: "#/x" } }), [`FieldValueForbidden ${at}.properties[a].$ref`]],
  ["array without items", inSpec({ a: { type: "array" } }), [`FieldValueRequired ${at}.properties[a].items`]],
  [
    "two storage versions",
    { versions: [version(object({ a: text })), v2({ storage: true })] },
    ["FieldValueInvalid spec.versions", "FieldValueInvalid status.storedVersions"],
  ],
  [
    "no storage version",
    { versions: [v2({})] },
    ["FieldValueInvalid spec.versions", "FieldValueInvalid status.storedVersions"],
  ],
  ["scope Foo", { scope: "Foo" }, ["FieldValueNotSupported spec.scope"]],
  [
    "plural Things",
    { names: { plural: "Things", kind: "Thing" } },
    ["FieldValueInvalid metadata.name", "FieldValueInvalid spec.names.plural"],
  ],
  [
    "version V1",
    { versions: [version(object({ a: text }), { name: "V1" })] },
    ["FieldValueInvalid spec.versions[0].name"],
  ],
  [
    "kind equal to listKind",
    { names: { plural: "things", kind: "Thing", listKind: "Thing" } },
    ["FieldValueInvalid spec.names.listKind"],
  ],
  ["preserveUnknownFields", { preserveUnknownFields: true }, ["FieldValueInvalid spec.preserveUnknownFields"]],
  [
    "Webhook conversion without config",
    { conversion: { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1"] } } },
    ["FieldValueRequired spec.conversion.webhookClientConfig"],
  ],
  [
    "http webhook",
    {
      conversion: {
        strategy: "Webhook",
        webhook: { conversionReviewVersions: ["v1"], clientConfig: { url: "http://a.b" } },
      },
    },
    ["FieldValueInvalid spec.conversion.webhookClientConfig.url"],
  ],
  [
    "webhook without review versions",
    {
      conversion: {
        strategy: "Webhook",
        webhook: { conversionReviewVersions: ["v9"], clientConfig: { url: "https://a.b" } },
      },
    },
    ["FieldValueInvalid spec.conversion.conversionReviewVersions"],
  ],
  ["unknown strategy", { conversion: { strategy: "Magic" } }, ["FieldValueNotSupported spec.conversion.strategy"]],
  [
    "column type foo",
    {
      versions: [
        version(object({ a: text }), { additionalPrinterColumns: [{ name: "A", type: "foo", jsonPath: ".spec.a" }] }),
      ],
    },
    ["FieldValueNotSupported spec.additionalPrinterColumns[0].type"],
  ],
  [
    "column path without dot",
    {
      versions: [
        version(object({ a: text }), { additionalPrinterColumns: [{ name: "A", type: "string", jsonPath: "spec.a" }] }),
      ],
    },
    ["FieldValueInvalid spec.additionalPrinterColumns[0].jsonPath"],
  ],
  [
    "scale path without dot",
    {
      versions: [
        version(object({ a: text }), {
          subresources: { scale: { specReplicasPath: "spec.r", statusReplicasPath: ".status.r" } },
        }),
      ],
    },
    ["FieldValueInvalid spec.subresources.scale.specReplicasPath"],
  ],
  [
    "scale path outside spec",
    {
      versions: [
        version(object({ a: text }), {
          subresources: { scale: { specReplicasPath: ".status.r", statusReplicasPath: ".status.r" } },
        }),
      ],
    },
    ["FieldValueInvalid spec.subresources.scale.specReplicasPath"],
  ],
  [
    "selectable field that is missing",
    { versions: [version(object({ a: text }), { selectableFields: [{ jsonPath: ".spec.b" }] })] },
    ["FieldValueInvalid spec.selectableFields[0].jsonPath"],
  ],
  [
    "selectable object",
    { versions: [version(object({ a: text }), { selectableFields: [{ jsonPath: ".spec" }] })] },
    ["FieldValueInvalid spec.selectableFields[0].jsonPath"],
  ],
  [
    "deprecationWarning without deprecated",
    { versions: [version(object({ a: text }), { deprecationWarning: "old" })] },
    ["FieldValueInvalid spec.versions[0].deprecationWarning"],
  ],
  [
    "rule with an unknown field",
    inSpec({ a: text }, { "x-kubernetes-validations": [{ rule: "self.b == 1" }] }),
    [`FieldValueInvalid ${at}.x-kubernetes-validations[0].rule`],
  ],
  [
    "bad fieldPath",
    inSpec({ a: text }, { "x-kubernetes-validations": [{ rule: "true", fieldPath: ".b" }] }),
    [`FieldValueInvalid ${at}.x-kubernetes-validations[0].fieldPath`],
  ],
];

describe("a definition is refused", () => {
  it.each(refused)("%s", async (_, spec, causes) => {
    const result = await refusal(server.store.create(crds, thingDefinition(spec as Record<string, unknown>)));
    expect(result.code).toBe(422);
    expect(new Set(result.causes)).toEqual(new Set(causes));
  });

  it("of a protected group without approval", async () => {
    const crd = thingDefinition({ group: "foo.k8s.io" }, { name: "things.foo.k8s.io" });
    expect((await refusal(server.store.create(crds, crd))).causes).toEqual([
      "FieldValueRequired metadata.annotations[api-approved.kubernetes.io]",
    ]);
  });

  it("names the versions apart when they differ", async () => {
    const versions = [version(object({ a: text })), v2({ schema: { openAPIV3Schema: object({ spec: {} }) } })];
    expect((await refusal(server.store.create(crds, thingDefinition({ versions })))).causes).toEqual([
      "FieldValueRequired spec.versions[1].schema.openAPIV3Schema.properties[spec].type",
    ]);
  });
});

describe("a definition is accepted", () => {
  it("with webhook settings that are complete", async () => {
    const conversion = {
      strategy: "Webhook",
      webhook: { conversionReviewVersions: ["v1"], clientConfig: { service: { namespace: "n", name: "s" } } },
    };
    const created = await server.store.create(crds, thingDefinition({ conversion }), { dryRun: true });
    expect(created).toMatchObject({
      spec: { conversion: { webhook: { clientConfig: { service: { port: 443 } } } } },
    });
  });
});

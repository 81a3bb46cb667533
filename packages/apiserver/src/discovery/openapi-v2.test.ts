import type { StructuralSchema } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import { builtinDefinitions } from "../builtin/definitions.ts";
import { bytesOf, readMessage, textOf } from "../builtin/types/protobuf-reader.ts";
import type { ResourceDefinition } from "../model/types.ts";
import { builtinOwner, createRegistry } from "../registry/registry.ts";
import { openApiV2 } from "./openapi-v2.ts";
import { schemaV2 } from "./openapi-v2-schemas.ts";

const registry = createRegistry();
registry.replace(builtinOwner, builtinDefinitions());
const schema: StructuralSchema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        big: { type: "integer", format: "int64", maximum: 9223372036854775807n as unknown as number },
        ratio: { type: "number", minimum: 0.5 },
      },
    },
  },
};
const gadget: ResourceDefinition = {
  ...(builtinDefinitions().find(({ plural }) => plural === "configmaps") as ResourceDefinition),
  group: "conf.capstan.test",
  kind: "Gadget",
  listKind: "GadgetList",
  plural: "gadgets",
  origin: "custom",
  schema,
};
registry.replace("gadgets", [gadget]);

interface Swagger {
  readonly swagger: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly definitions: Readonly<Record<string, unknown>>;
}

/** The fields of a message with this number. */
const fieldsOf = (message: Uint8Array, number: number): readonly Uint8Array[] =>
  readMessage(message)
    .filter((field) => field.number === number)
    .map(({ value }) => bytesOf(value));

const only = (message: Uint8Array, number: number): Uint8Array => fieldsOf(message, number)[0] ?? new Uint8Array();

/** The value of an entry of a map in protobuf. */
const entry = (map: Uint8Array, number: number, name: string): Uint8Array =>
  only(fieldsOf(map, number).find((item) => textOf(only(item, 1)) === name) ?? new Uint8Array(), 2);

describe("OpenAPI v2", () => {
  it("has every kind with a reference that leads somewhere, and its operations", async () => {
    const { json } = await openApiV2(registry.snapshot);
    const document = JSON.parse(json) as Swagger;
    expect(document.swagger).toBe("2.0");
    const references = [...json.matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => String(target));
    expect(references.length).toBeGreaterThan(1_000);
    const broken = references.filter(
      (target) => document.definitions[target.replace("#/definitions/", "")] === undefined,
    );
    expect(broken).toEqual([]);
    expect(document.definitions["test.capstan.conf.v1.Gadget"]).toMatchObject({
      "x-kubernetes-group-version-kind": [{ group: "conf.capstan.test", version: "v1", kind: "Gadget" }],
    });
    const pods = document.paths["/api/v1/namespaces/{namespace}/pods/{name}"];
    expect(pods?.["patch"]).toMatchObject({
      "x-kubernetes-group-version-kind": { group: "", version: "v1", kind: "Pod" },
      consumes: expect.arrayContaining(["application/strategic-merge-patch+json"]),
      parameters: expect.arrayContaining([
        { name: "fieldValidation", in: "query", type: "string" },
        expect.objectContaining({ in: "body", required: true }),
      ]),
    });
    for (const word of ["requestBody", "#/components"]) {
      expect(json, word).not.toContain(word);
    }
  });

  it("says in protobuf what it says in JSON", async () => {
    const { json, protobuf } = await openApiV2(registry.snapshot);
    const document = JSON.parse(json) as Swagger;
    expect(textOf(only(protobuf, 1))).toBe("2.0");
    expect(fieldsOf(only(protobuf, 8), 2)).toHaveLength(Object.keys(document.paths).length);
    const definitions = only(protobuf, 9);
    expect(fieldsOf(definitions, 1).map((item) => textOf(only(item, 1)))).toEqual(Object.keys(document.definitions));
    const kind = entry(definitions, 1, "test.capstan.conf.v1.Gadget");
    expect(textOf(only(only(kind, 22), 1))).toBe("object");
    expect(JSON.parse(textOf(only(entry(kind, 31, "x-kubernetes-group-version-kind"), 2)))).toEqual([
      { group: "conf.capstan.test", version: "v1", kind: "Gadget" },
    ]);
    const spec = entry(only(kind, 25), 1, "spec");
    expect(textOf(only(entry(only(spec, 25), 1, "big"), 2))).toBe("int64");
    expect(json).toContain('"maximum":9223372036854775807');
  });

  it("is made once for the same definitions", async () => {
    expect(await openApiV2(registry.snapshot)).toBe(await openApiV2(registry.snapshot));
  });

  it.each<[string, unknown, unknown]>([
    [
      "a reference with siblings",
      { allOf: [{ $ref: "#/components/schemas/a.B" }], "x-a": 1 },
      { $ref: "#/definitions/a.B", "x-a": 1 },
    ],
    ["what may be null", { type: "string", nullable: true, description: "d" }, { description: "d" }],
    ["what may be anything", { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: {} }, {}],
    ["int or string", { "x-kubernetes-int-or-string": true, anyOf: [] }, { "x-kubernetes-int-or-string": true }],
    ["alternatives", { type: "object", anyOf: [{ required: ["a"] }] }, { type: "object" }],
    [
      "lists and maps",
      { items: { nullable: true, type: "string" }, additionalProperties: true },
      { items: {}, additionalProperties: true },
    ],
  ])("leaves out what version 2 has no words for: %s", (_, given, expected) => {
    expect(schemaV2(given)).toEqual(expected);
  });
});

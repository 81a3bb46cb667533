import { expect, it } from "vitest";
import {
  boolean,
  conditions,
  crdOf,
  defaulted,
  enumOf,
  immutable,
  int32,
  isKind,
  kind,
  list,
  mayHaveField,
  object,
  optional,
  resource,
  string,
} from "./index.ts";

const older = kind({
  group: "example.test",
  version: "v1alpha1",
  kind: "Server",
  plural: "servers",
  description: "An older server.",
  storage: false,
  deprecated: "use v1beta1",
  spec: optional(object({ size: string({ description: "Size." }) })),
});

const Server = kind({
  group: "example.test",
  version: "v1beta1",
  kind: "Server",
  plural: "servers",
  shortNames: ["sv"],
  description: "A server.",
  labels: { b: "2", a: "1" },
  versions: [older],
  conversion: "webhook",
  scale: { specReplicas: ".spec.replicas", statusReplicas: ".status.replicas" },
  selectableFields: [".spec.region"],
  columns: [{ name: "Region", path: ".spec.region" }],
  spec: object({
    region: immutable(string({ description: "Region.", minLength: 1 })),
    mode: defaulted(enumOf(["a", "b"], { description: "Mode." }), "a"),
    replicas: optional(int32({ description: "Replicas." })),
    disks: optional(
      list(object({ name: string({ description: "Name." }), big: optional(boolean({ description: "Big." })) }), {
        description: "Disks.",
        keys: ["name"],
      }),
    ),
  }),
  status: object({ conditions: optional(conditions()), replicas: optional(int32({ description: "Replicas." })) }),
});

it("is a resource for every client call", () => {
  expect(Server).toMatchObject({ group: "example.test", version: "v1beta1", plural: "servers", namespaced: true });
  expect(isKind(Server)).toBe(true);
  expect(isKind(resource({ group: "", version: "v1", kind: "Node", plural: "nodes" }))).toBe(false);
});

it("requires exactly the fields that are neither optional nor defaulted", () => {
  const { spec } = Server.schema.properties ?? {};
  expect(Server.schema.required).toEqual(["spec"]);
  expect(older.schema.required).toBeUndefined();
  expect(spec?.required).toEqual(["region"]);
  expect(spec?.properties?.["mode"]).toMatchObject({ default: "a", enum: ["a", "b"] });
  expect(spec?.properties?.["region"]?.["x-kubernetes-validations"]).toEqual([
    { rule: "self == oldSelf", message: "Value is immutable" },
  ]);
  expect(spec?.properties?.["disks"]).toMatchObject({
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
  });
});

it("yields one definition with all versions", () => {
  const { metadata, spec } = crdOf(Server);
  expect(metadata).toEqual({ name: "servers.example.test", labels: { a: "1", b: "2" } });
  expect(spec.names).toEqual({
    kind: "Server",
    listKind: "ServerList",
    plural: "servers",
    singular: "server",
    shortNames: ["sv"],
  });
  expect(spec.conversion?.webhook?.clientConfig).toMatchObject({ service: { path: "/convert" } });
  expect(spec.versions.map(({ schema, ...version }) => [version, schema.openAPIV3Schema.description])).toEqual([
    [
      { name: "v1alpha1", served: true, storage: false, deprecated: true, deprecationWarning: "use v1beta1" },
      "An older server.",
    ],
    [
      {
        name: "v1beta1",
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
        },
        additionalPrinterColumns: [{ name: "Region", type: "string", jsonPath: ".spec.region" }],
        selectableFields: [{ jsonPath: ".spec.region" }],
      },
      "A server.",
    ],
  ]);
});

it("puts another address into the conversion clause when one is given", () => {
  const { spec } = crdOf(Server, { conversion: { url: "https://127.0.0.1:9443/convert", caBundle: "Y2E=" } });
  expect(spec.conversion?.webhook).toEqual({
    conversionReviewVersions: ["v1"],
    clientConfig: { url: "https://127.0.0.1:9443/convert", caBundle: "Y2E=" },
  });
});

it("is the same text every time, with properties in order", () => {
  expect(JSON.stringify(crdOf(Server))).toBe(JSON.stringify(crdOf(Server)));
  const schema = crdOf(Server).spec.versions[1]?.schema.openAPIV3Schema;
  expect(Object.keys(schema?.properties?.["spec"]?.properties ?? {})).toEqual(["disks", "mode", "region", "replicas"]);
});

it.each([
  ["spec.region", true],
  ["spec.regio", false],
  ["spec.region.name", false],
  ["status.free.to.say", true],
  ["status.byName.any.count", true],
  ["status.byName.any.other", false],
])("may have the field %s: %s", (path, expected) => {
  const counted = { type: "object", properties: { count: { type: "integer" } } } as const;
  const schema = {
    type: "object",
    properties: {
      ...Server.schema.properties,
      status: {
        type: "object",
        properties: {
          free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
          byName: { type: "object", additionalProperties: counted },
        },
      },
    },
  } as const;
  expect(mayHaveField({ ...Server, schema } as typeof Server, path)).toBe(expected);
});

it("may have any field when it is known by name only", () => {
  expect(mayHaveField(resource({ group: "a.test", version: "v1", kind: "A", plural: "as" }), "status.ready")).toBe(
    true,
  );
});

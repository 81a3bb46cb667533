import { expect, it } from "vitest";
import { resourceFault } from "./resource-fault.ts";
import type { StructuralSchema } from "./structural-schema.ts";

const resource: StructuralSchema = {
  type: "object",
  "x-kubernetes-embedded-resource": true,
  "x-kubernetes-preserve-unknown-fields": true,
};
const places: StructuralSchema = {
  type: "object",
  properties: {
    one: resource,
    list: { type: "array", items: resource },
    map: { type: "object", additionalProperties: resource },
    plain: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  },
};
const identity = { apiVersion: "v1", kind: "ConfigMap" };

it.each<[string, unknown, string | undefined]>([
  [
    "a whole one",
    { one: { ...identity, metadata: { name: "n", labels: { a: "b" }, creationTimestamp: null } } },
    undefined,
  ],
  ["one that lacks everything", { one: {} }, undefined],
  ["what is unknown in metadata", { one: { metadata: { foo: 1 } } }, undefined],
  ["what only looks like one", { plain: { kind: 1, metadata: 1 } }, undefined],
  ["a kind that is no text", { one: { kind: 1 } }, "one.kind must be a string"],
  ["an apiVersion that is no text", { list: [{}, { apiVersion: null }] }, "list[1].apiVersion must be a string"],
  ["metadata that is no object", { map: { v: { metadata: 1 } } }, "map.v.metadata has the wrong type"],
  ["a label that is no text", { one: { metadata: { labels: { a: 1 } } } }, "one.metadata.labels.a has the wrong type"],
])("judges an embedded resource: %s", (_what, value, fault) => {
  expect(resourceFault(places, value)).toBe(fault);
});

import type { KubeObject } from "@capstan/schema";
import { expect, it } from "vitest";
import { withoutFields } from "./kept-fields.ts";

const object: KubeObject = {
  apiVersion: "v1",
  kind: "X",
  metadata: { name: "x", annotations: { "a.example/b": "1", a: "2" } },
  spec: {
    ports: [
      { port: 80, protocol: "TCP", name: "http" },
      { port: 81, protocol: "TCP" },
    ],
    words: ["a", "b"],
    n: 1,
  },
};

it.each([
  [".spec.n", { spec: { ...(object["spec"] as object), n: undefined } }],
  [".metadata.annotations.a.example/b", { metadata: { name: "x", annotations: { a: "2" } } }],
  [".metadata.annotations.a", { metadata: { name: "x", annotations: { "a.example/b": "1" } } }],
  [
    '.spec.ports[port=80,protocol="TCP"].name',
    {
      spec: {
        ports: [
          { port: 80, protocol: "TCP" },
          { port: 81, protocol: "TCP" },
        ],
      },
    },
  ],
  ['.spec.ports[port=81,protocol="TCP"]', { spec: { ports: [{ port: 80, protocol: "TCP", name: "http" }] } }],
  ['.spec.words[="a"]', { spec: { words: ["b"] } }],
  [".spec.words[1]", { spec: { words: ["a"] } }],
])("%s is left out", (field, expected) => {
  const rest = withoutFields(object, [field]);
  for (const [key, value] of Object.entries(expected)) {
    const parts = value as Readonly<Record<string, unknown>>;
    for (const [name, part] of Object.entries(parts)) {
      expect((rest[key] as Readonly<Record<string, unknown>>)[name]).toEqual(part);
    }
  }
});

it.each([".spec.nothing", ".spec.ports[port=82]", ".spec.ports.name", ".status"])("%s is not there", (field) => {
  expect(withoutFields(object, [field])).toBe(object);
});

import { describe, expect, it } from "vitest";
import { fieldLine } from "./field-lines.ts";
import { fieldIn, stepsOf } from "./field-path.ts";

const yaml = `# first
kind: A
---
apiVersion: v1
kind: List
items:
- kind: B
  metadata:
    labels:
      a.b/c: d
- kind: C
  spec:
    files:
    - path: /a
      content: x
    -
      path: /b
    ports: [{port: 80, protocol: TCP},
      {port: 80, protocol: UDP}]
    base: &base
      size: 1
    same: *base
`;

const json = `{
  "kind": "D",
  "spec": {
    "replicas": "many",
    "list": [
      1,
      {"x": 2}
    ]
  }
}
`;

describe("the line of a field", () => {
  it.each([
    ["kind", { document: 0, before: [] }, 2],
    ["metadata.labels[a.b/c]", { document: 1, before: ["items", 0] }, 10],
    ["spec.files[1].path", { document: 1, before: ["items", 1] }, 17],
    ['spec.files[path="/b"]', { document: 1, before: ["items", 1] }, 17],
    ['spec.ports[port=80,protocol="UDP"].port', { document: 1, before: ["items", 1] }, 19],
    ["spec.same.size", { document: 1, before: ["items", 1] }, 21],
    // What is missing belongs where it would stand.
    ["spec.files[0].owner", { document: 1, before: ["items", 1] }, 14],
    ["status.phase", { document: 1, before: ["items", 1] }, undefined],
    ["spec.x", { document: 7, before: [] }, undefined],
  ])("%s of YAML", (field, place, line) => {
    expect(fieldLine(yaml, { ...place, field })).toBe(line);
  });

  it.each([
    ["spec.replicas", 4],
    ["spec.list[1].x", 7],
  ])("%s of JSON", (field, line) => {
    expect(fieldLine(json, { document: 0, before: [], field })).toBe(line);
  });
});

it.each([
  ["failed to create typed patch object (ns/x; a.b/v1, Kind=C): .spec.replicaz: field not declared", "spec.replicaz"],
  ['C.a.b "x" is invalid: spec.rollout.strategy.type: Unsupported value: "Y"', "spec.rollout.strategy.type"],
  ['strict decoding error: unknown field "spec.files[0].pat"', "spec.files[0].pat"],
  ['.spec.ports[port=80,protocol="UDP"].nam: field', 'spec.ports[port=80,protocol="UDP"].nam'],
  ["metadata.labels[a.b/c]: Invalid value", "metadata.labels[a.b/c]"],
  ["there is no Machin in cluster.x-k8s.io/v1beta2 here", undefined],
  ["see https://kubernetes.io/docs/spec.html", undefined],
])("the field in %s", (message, field) => {
  expect(fieldIn(message)).toBe(field);
});

it.each([
  ["spec.files[0].path", ["spec", "files", 0, "path"]],
  ["metadata.labels[a.b/c]", ["metadata", "labels", "a.b/c"]],
  ['spec.p[port=80,protocol="TCP"].x', ["spec", "p", { port: "80", protocol: "TCP" }, "x"]],
])("the steps of %s", (field, steps) => {
  expect(stepsOf(field)).toEqual(steps);
});

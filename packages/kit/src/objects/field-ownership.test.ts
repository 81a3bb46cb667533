import { describe, expect, it } from "vitest";
import type { ManagedFieldsEntry } from "./field-ownership.ts";
import { asApplied, takesBack } from "./field-ownership.ts";

const known = { labels: ["from-template"], annotations: ["cloned"] };
const created: ManagedFieldsEntry = {
  manager: "set",
  operation: "Update",
  fieldsV1: {
    "f:metadata": {
      "f:labels": { ".": {}, "f:a": {}, "f:from-template": {} },
      "f:annotations": { ".": {}, "f:cloned": {} },
      "f:ownerReferences": { ".": {}, 'k:{"uid":"1"}': {} },
    },
    "f:spec": { "f:size": {} },
  },
};
const other: ManagedFieldsEntry = { manager: "other", operation: "Update", fieldsV1: { "f:spec": { "f:id": {} } } };
const ofStatus: ManagedFieldsEntry = { ...other, manager: "set", subresource: "status" };
const applied: ManagedFieldsEntry = {
  manager: "set",
  operation: "Apply",
  fieldsV1: { "f:metadata": { "f:labels": { "f:a": {} } }, "f:spec": { "f:taints": { 'k:{"key":"x"}': { ".": {} } } } },
};

describe("what was created plainly", () => {
  it("counts as applied, but for what is known to come from elsewhere", () => {
    expect(asApplied([ofStatus, created, other], "set", known)).toEqual([
      ofStatus,
      other,
      { manager: "set", operation: "Apply", fieldsV1: { "f:metadata": { "f:labels": { "f:a": {} } } } },
      {
        ...created,
        fieldsV1: {
          "f:metadata": {
            "f:labels": { ".": {}, "f:from-template": {} },
            "f:annotations": { ".": {}, "f:cloned": {} },
            "f:ownerReferences": { ".": {}, 'k:{"uid":"1"}': {} },
          },
          "f:spec": { "f:size": {} },
        },
      },
    ]);
  });

  it.each([
    ["it was applied since", [created, applied]],
    ["somebody else created it", [other, ofStatus]],
    ["nobody owns anything", []],
  ])("stays as it is when %s", (_case, entries) => {
    expect(asApplied(entries, "set", known)).toBe(entries);
  });
});

const body = (labels: Readonly<Record<string, string>>, spec: object) => ({
  apiVersion: "v1",
  kind: "Thing",
  metadata: { labels },
  spec,
});

it.each([
  ["says the same", body({ a: "1" }, { taints: [] }), false],
  ["says more", body({ a: "2", b: "1" }, { taints: [], size: "s" }), false],
  ["lacks a label", body({ b: "1" }, { taints: [] }), true],
  ["lacks a list", body({ a: "1" }, {}), true],
])("an apply takes something back when it lacks it: %s", (_case, wanted, expected) => {
  expect(takesBack([created, applied], "set", wanted)).toBe(expected);
});

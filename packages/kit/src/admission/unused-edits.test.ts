import { valueAt } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { expect, it } from "vitest";
import { type ReadOnce, unusedEdits, valuesInUse, valuesInUseAnnotation } from "./unused-edits.ts";

const fields: readonly ReadOnce<KubeObject>[] = [
  { path: "spec.region", isRead: (old) => valueAt(old, "status.ready") === true, because: "it is built" },
];

const object = (region: string | undefined, more: object = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "A",
  metadata: { name: "a" },
  spec: { region },
  ...more,
});

const ready = { status: { ready: true } };
const recorded = (value: string, region = "c") =>
  object(region, { ...ready, metadata: { name: "a", annotations: { [valuesInUseAnnotation]: value } } });

it("says nothing of new objects, of fields that were not read yet, and of those that stay", () => {
  const after = object("b");
  for (const old of [undefined, object("a"), object("b", ready)]) {
    expect(unusedEdits(after, old, fields)).toEqual({ object: after });
  }
});

it("warns of an edit that changes nothing, and records what stays in use", () => {
  const { object: after, warnings } = unusedEdits(object("b"), object("a", ready), fields);
  expect(warnings).toEqual(['spec.region has no effect: "a" stays in use; it is built']);
  expect(valuesInUse(after)).toEqual({ "spec.region": "a" });
});

it("keeps the record through further edits, also of whoever applies the object without it, and warns of each once", () => {
  const old = recorded('{"spec.region":"a"}');
  const same = unusedEdits(object("c"), old, fields);
  expect([valuesInUse(same.object), same.warnings]).toEqual([{ "spec.region": "a" }, undefined]);
  const next = unusedEdits(object("d"), old, fields);
  expect(next.warnings).toEqual(['spec.region has no effect: "a" stays in use; it is built']);
  expect(valuesInUse(next.object)).toEqual({ "spec.region": "a" });
});

it("takes the record away with the edit", () => {
  const { object: after, warnings } = unusedEdits(recorded("{}", "a"), recorded('{"spec.region":"a"}'), fields);
  expect([after.metadata.annotations, warnings]).toEqual([{}, undefined]);
});

it("records that nothing was there", () => {
  const { object: after } = unusedEdits(object("b"), object(undefined, ready), fields);
  expect(valuesInUse(after)).toEqual({ "spec.region": null });
});

it.each(["", "[]", "{", '"x"'])("reads an annotation %j of somebody else as none", (value) => {
  expect(valuesInUse(recorded(value))).toEqual({});
});

import * as fc from "fast-check";
import { expect, it } from "vitest";
import { withoutFieldOwnership } from "./without-field-ownership.ts";

it.each([
  ["none", { metadata: { name: "a" }, spec: { managedFields: [1] } }],
  ["no metadata", { managedFields: [1] }],
  ["deeper in metadata", { metadata: { annotations: { managedFields: [1] } } }],
  ["in a text", { metadata: { annotations: { last: JSON.stringify({ managedFields: [{ a: "]" }] }) } } }],
  ["of another type", { metadata: { managedFields: null } }],
  ["in an author's own metadata", { data: { metadata: { managedFields: [1] } }, metadata: { managedFields: [2] } }],
])("leaves alone what is not the object's field ownership: %s", (_case, object) => {
  const json = JSON.stringify({ type: "ADDED", object });
  expect(withoutFieldOwnership(Buffer.from(json))).toBe(json);
});

const textOf = (managedFields: readonly object[], rest: object = {}): string =>
  JSON.stringify({ type: "ADDED", object: { metadata: { name: "a", managedFields }, ...rest } });

it("empties the list of the object's metadata, wherever it ends", () => {
  const flat = [{ manager: "m", fieldsV1: { 'k:{"a":"b"}': {} } }];
  const nested = [{ manager: "m", fieldsV1: { a: [[1]] } }];
  const inText = [{ manager: "]}}", time: '"}],"a' }];
  for (const managedFields of [flat, nested, inText]) {
    expect(withoutFieldOwnership(Buffer.from(textOf(managedFields)))).toBe(textOf([]));
    expect(withoutFieldOwnership(Buffer.from(textOf(managedFields, { spec: {} })))).toBe(textOf([], { spec: {} }));
  }
});

it("leaves the rest of an event as it was, whatever the names and texts", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom('"', '\\"', "\\", '"]', '"managedFields":[', "}{", "}],", "]}}", '],"a'),
  );
  const tree = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { depthSize: "small" },
      text,
      fc.integer(),
      fc.array(tie("node"), { maxLength: 3 }),
      fc.dictionary(text, tie("node"), { maxKeys: 3 }),
    ),
  })).node;
  const values = fc.dictionary(text, text, { maxKeys: 3 });
  fc.assert(
    fc.property(values, fc.array(tree, { maxLength: 3 }), values, tree, (annotations, managedFields, labels, spec) => {
      const event = { type: "ADDED", object: { metadata: { annotations, managedFields, labels }, spec } };
      const kept = { ...event, object: { ...event.object, metadata: { annotations, managedFields: [], labels } } };
      // Texts, not what they are parsed to: that is wrong for some names since V8 12.8 (nodejs/node#63785).
      expect(withoutFieldOwnership(Buffer.from(JSON.stringify(event)))).toBe(JSON.stringify(kept));
    }),
    { seed: 8 },
  );
});

it("hands on what is cut off in the middle, for the decoder to refuse", () => {
  const json = JSON.stringify({ metadata: { managedFields: [{ a: ["b"] }], name: "n" } });
  for (let length = 0; length < json.length; length++) {
    expect(() => JSON.parse(withoutFieldOwnership(Buffer.from(json.slice(0, length)))) as unknown).toThrow(SyntaxError);
  }
});

import { type KubeObject, sameJson } from "@capstan/schema";
import type { StructuralSchema } from "@capstan/schema/structural";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { serverSideApply } from "./server-side-apply.ts";

type Fields = Readonly<Record<string, unknown>>;
type Live = Parameters<typeof serverSideApply>[0]["live"];

const text: StructuralSchema = { type: "string" };
const integer: StructuralSchema = { type: "integer" };
const texts: StructuralSchema = { type: "object", additionalProperties: text };
const port: StructuralSchema = { type: "object", properties: { port: integer, name: text } };
const specSchema: StructuralSchema = {
  type: "object",
  properties: {
    size: text,
    tags: { type: "array", items: text, "x-kubernetes-list-type": "set" },
    gmap: texts,
    amap: { ...texts, "x-kubernetes-map-type": "atomic" },
    ports: { type: "array", items: port, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port"] },
    blob: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    nested: { type: "object", properties: { a: text, b: integer } },
  },
};
const schema: StructuralSchema = {
  type: "object",
  properties: {
    apiVersion: text,
    kind: text,
    metadata: { type: "object", properties: { name: text } },
    spec: specSchema,
  },
};
const apiVersion = "conf.capstan.test/v1";

const widget = (spec: Fields | undefined): KubeObject => ({
  apiVersion,
  kind: "Widget",
  metadata: { name: "w" },
  ...(spec === undefined ? {} : { spec }),
});

const attempt = (live: Live, manager: string, config: KubeObject, force: boolean) =>
  serverSideApply({ live, config, schema, manager, apiVersion, force, time: "2026-01-01T00:00:00Z" });

const apply = (live: Live, manager: string, config: KubeObject): KubeObject => {
  const result = attempt(live, manager, config, true);
  if ("conflicts" in result) {
    throw new Error(result.conflicts.message);
  }
  return result.object;
};

const hasConflicts = (live: KubeObject, manager: string, config: KubeObject): boolean =>
  "conflicts" in attempt(live, manager, config, false);

const fieldsOf = (object: KubeObject, manager: string): unknown =>
  (object.metadata.managedFields as readonly { manager: string; fieldsV1: unknown }[]).find(
    (entry) => entry.manager === manager,
  )?.fieldsV1;
const spec = (object: KubeObject): Fields => object["spec"] as Fields;

const specs: fc.Arbitrary<Fields> = fc.record(
  {
    size: fc.constantFrom("S", "M"),
    tags: fc.uniqueArray(fc.constantFrom("a", "b", "c")),
    gmap: fc.dictionary(fc.constantFrom("x", "y", "__proto__"), fc.constantFrom("1", "2")),
    amap: fc.dictionary(fc.constantFrom("x", "y"), fc.constantFrom("1", "2")),
    ports: fc.uniqueArray(
      fc.record({ port: fc.constantFrom(80, 443), name: fc.constantFrom("p", "q") }, { requiredKeys: ["port"] }),
      { selector: (one) => one.port },
    ),
    blob: fc.dictionary(fc.constantFrom("x", "y"), fc.jsonValue({ maxDepth: 2 })),
    nested: fc.record({ a: fc.constantFrom("1", "2"), b: fc.integer() }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);
/** Each step applies something that can be owned: who owns nothing is forgotten. */
const steps = fc.array(
  fc.record({ manager: fc.constantFrom("m1", "m2", "m3"), spec: specs.map((fields) => ({ size: "L", ...fields })) }),
  {
    minLength: 1,
    maxLength: 6,
  },
);

const run = (sequence: readonly { manager: string; spec: Fields }[]): KubeObject =>
  sequence.reduce<Live>((object, step) => apply(object, step.manager, widget(step.spec)), undefined) as KubeObject;

describe("laws of apply", () => {
  it("applying the same again is a no-op", () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const last = sequence.at(-1);
        const object = run(sequence);
        expect(sameJson(apply(object, last?.manager ?? "", widget(last?.spec)), object)).toBe(true);
      }),
      { seed: 10 },
    );
  });

  it("what one manager alone applied last is all there is", () => {
    fc.assert(
      fc.property(specs, specs, (before, after) => {
        const object = run([
          { manager: "m1", spec: { ...before, size: "S" } },
          { manager: "m1", spec: { ...after, size: "S" } },
        ]);
        const fresh = run([{ manager: "m1", spec: { ...after, size: "S" } }]);
        expect(fieldsOf(object, "m1")).toEqual(fieldsOf(fresh, "m1"));
        expect(withoutEmptyLists(spec(object))).toEqual(withoutEmptyLists(spec(fresh)));
      }),
      { seed: 11 },
    );
  });

  it("a forced apply is seen in the object and never leaves two owners of different values", () => {
    fc.assert(
      fc.property(steps, specs, (sequence, wanted) => {
        const object = apply(run(sequence), "m4", widget(wanted));
        expect(hasConflicts(object, "m4", widget(wanted))).toBe(false);
        expect(spec(object)["size"] ?? "none").toBe(wanted["size"] ?? spec(run(sequence))["size"] ?? "none");
      }),
      { seed: 12 },
    );
  });
});

/** No one owns an empty list of elements, so whether one stays behind is of no account. Unordered lists are sorted. */
const withoutEmptyLists = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => !Array.isArray(value) || value.length > 0)
      .map(([name, value]) => [
        name,
        Array.isArray(value) ? value.map((item) => JSON.stringify(item)).toSorted() : value,
      ]),
  );

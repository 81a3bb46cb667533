import type { StructuralSchema } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import { longSchemaFaults, schemaFaults } from "./schema-faults.ts";

const at = "spec.versions[0].schema.openAPIV3Schema";

/** A schema of objects with one text, and how often that text's keywords were read. */
const watched = (keywords: object) => {
  let reads = 0;
  const text = new Proxy(keywords, {
    get: (target, name) => {
      reads += 1;
      return Reflect.get(target, name) as unknown;
    },
  });
  const schema = { type: "object", properties: { text } } as StructuralSchema;
  return { schema, readsOf: (look: () => unknown) => ((reads = 0), look(), reads) };
};

describe("the faults of a schema", () => {
  it("are looked for once in a process, for all definitions that have it", () => {
    const { schema, readsOf } = watched({ type: "string", pattern: "^[a-z]{1,17}$" });
    const reading = readsOf(() => JSON.stringify(schema));
    expect(readsOf(() => expect(schemaFaults({ schema, at })).toEqual([]))).toBeGreaterThan(reading);
    expect(readsOf(() => expect(schemaFaults({ schema, at: "spec.validation" })).toEqual([]))).toBe(reading);
  });

  it("are named each time, at the place where it stands", async () => {
    const { schema } = watched({ type: "string", pattern: "[" });
    const places = [at, "spec.validation.openAPIV3Schema", at];
    const expected = places.map((place) => [`${place}.properties[text].pattern`]);
    const fields = (faults: ReturnType<typeof schemaFaults>) => faults.map(({ field }) => field);
    expect(places.map((place) => fields(schemaFaults({ schema, at: place })))).toEqual(expected);
    const plain = { type: "object", properties: { text: { type: "string", pattern: "[" } } } as StructuralSchema;
    const long = places.map(async (place) => fields(await longSchemaFaults({ schema: plain, at: place }, "someone")));
    expect(await Promise.all(long)).toEqual(expected);
  });
});

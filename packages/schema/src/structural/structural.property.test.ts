import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyDefaults } from "./apply-defaults.ts";
import { prune } from "./prune.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import { validateSchema } from "./validate-schema.ts";
import { validate } from "./validate.ts";
import { walkRules } from "./walk-rules.ts";

const names = ["a", "b", "kind", "metadata", "__proto__", "constructor"];
const name = fc.constantFrom(...names);

const record = <T>(values: fc.Arbitrary<T>) =>
  fc.array(fc.tuple(name, values), { maxLength: 4 }).map((members) => Object.fromEntries(members));

const scalar: fc.Arbitrary<StructuralSchema> = fc.oneof(
  fc.constant({ type: "string", default: "d" } as const),
  fc.constant({ type: "string", nullable: true, default: "d" } as const),
  fc.record({ type: fc.constantFrom("string", "integer", "boolean", "number"), nullable: fc.boolean() }),
  fc.constant({ "x-kubernetes-preserve-unknown-fields": true }),
);

const { schema } = fc.letrec<{ schema: StructuralSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4 },
    scalar,
    record(tie("schema")).map((properties): StructuralSchema => ({ type: "object", properties })),
    record(tie("schema")).map((properties): StructuralSchema => ({ type: "object", properties, default: {} })),
    tie("schema").map((values): StructuralSchema => ({ type: "object", additionalProperties: values })),
    tie("schema").map((items): StructuralSchema => ({
      type: "array",
      items,
      "x-kubernetes-validations": [{ rule: "true" }],
    })),
    record(tie("schema")).map((properties): StructuralSchema => ({
      type: "object",
      properties,
      "x-kubernetes-preserve-unknown-fields": true,
      "x-kubernetes-embedded-resource": true,
    })),
  ),
}));

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom<unknown>(null, "", "text", 0, 1.5, true),
    fc.array(tie("value"), { maxLength: 3 }),
    record(tie("value")),
  ),
}));

const frozen = <T>(of: T): T => {
  if (typeof of === "object" && of !== null) Object.values(Object.freeze(of)).forEach(frozen);
  return of;
};

const admit = (of: StructuralSchema, input: unknown) => applyDefaults(of, prune(of, input, { resource: false }).value);

const field = (of: StructuralSchema): StructuralSchema => ({ type: "object", properties: { f: of } });
const embeds = (of: StructuralSchema): boolean => JSON.stringify(of).includes("embedded-resource");

describe("for any schema and value", () => {
  it("pruning twice is pruning once", () => {
    fc.assert(
      fc.property(schema, value.map(frozen), fc.boolean(), (of, input, resource) => {
        const once = prune(of, input, { resource });
        const twice = prune(of, once.value, { resource });
        expect(twice.value).toBe(once.value);
        expect(twice.unknown).toEqual([]);
      }),
      { seed: 21 },
    );
  });

  it("defaulting twice is defaulting once", () => {
    fc.assert(
      fc.property(schema, value.map(frozen), (of, input) => {
        const once = applyDefaults(of, input);
        expect(applyDefaults(of, once)).toBe(once);
      }),
      { seed: 22 },
    );
  });

  it("what was admitted is judged the same when it is admitted again", () => {
    fc.assert(
      fc.property(schema, value.map(frozen), (of, input) => {
        const admitted = admit(of, input);
        expect(validate(of, admit(of, admitted))).toEqual(validate(of, admitted));
      }),
      { seed: 23 },
    );
  });

  it("an update that changes nothing is never refused", () => {
    fc.assert(
      fc.property(schema, value.map(frozen), (of, input) => {
        expect(validate(of, input, { oldValue: structuredClone(input) })).toEqual([]);
      }),
      { seed: 24 },
    );
  });

  it("every value with rules is visited with what it was before", () => {
    fc.assert(
      fc.property(schema, value.map(frozen), (of, input) => {
        walkRules(of, input, input, (site) => {
          if (site.correlated) expect(site.unchanged).toBe(true);
          expect(site.rules.length).toBeGreaterThan(0);
        });
      }),
      { seed: 25 },
    );
  });

  it("schemas made of legal parts are accepted below a root object", () => {
    fc.assert(
      fc.property(
        schema.filter((of) => !embeds(of)),
        (of) => {
          expect(validateSchema(field(of), "s")).toEqual([]);
        },
      ),
      { seed: 26 },
    );
  });
});

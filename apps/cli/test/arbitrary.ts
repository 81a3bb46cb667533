import type { StructuralSchema } from "@capstan/schema";
import * as fc from "fast-check";

const bounded = ({ minimum = -5, maximum }: StructuralSchema): fc.Arbitrary<number> =>
  fc.integer({ min: minimum, max: Math.min(maximum ?? 100_000, 100_000) });

const text = (schema: StructuralSchema): fc.Arbitrary<string> => {
  const { enum: allowed, format, minLength = 0, maxLength = 20, pattern } = schema;
  if (allowed !== undefined) return fc.constantFrom(...(allowed as readonly string[]));
  if (format === "date-time") return fc.constantFrom("2026-01-02T03:04:05Z", "2030-01-01T00:00:00Z");
  if (format === "byte") return fc.constantFrom("Y2E=", "QUJD");
  if (pattern !== undefined) {
    return fc
      .stringMatching(new RegExp(pattern), { size: "-1" })
      .filter(({ length }) => length >= minLength && length <= maxLength);
  }
  if (schema["x-kubernetes-validations"] !== undefined) return fc.constant("Linux");
  return fc.string({ minLength, maxLength: Math.min(maxLength, 12), unit: fc.constantFrom("a", "b", "0", "9") });
};

const list = (schema: StructuralSchema): fc.Arbitrary<unknown> => {
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const named = schema["x-kubernetes-validations"] !== undefined && keys.includes("name") ? ["name"] : keys;
  const identity = (item: unknown): string =>
    JSON.stringify(named.length === 0 ? item : named.map((key) => (item as Readonly<Record<string, unknown>>)[key]));
  return fc.uniqueArray(arbitraryOf(schema.items ?? {}), {
    minLength: schema.minItems ?? 0,
    maxLength: 2,
    selector: identity,
  });
};

const object = (schema: StructuralSchema): fc.Arbitrary<unknown> => {
  const { properties, additionalProperties, required = [], minProperties = 0 } = schema;
  if (properties === undefined) {
    const values = arbitraryOf(typeof additionalProperties === "object" ? additionalProperties : {});
    return fc.dictionary(fc.constantFrom("a", "b", "c-d"), values, { noNullPrototype: true });
  }
  const members = Object.entries(properties).map(([name, of]) => [name, arbitraryOf(of)] as const);
  return fc
    .record(Object.fromEntries(members), { requiredKeys: [...required], noNullPrototype: true })
    .filter((value) => Object.keys(value).length >= minProperties);
};

/** Values that a schema accepts, with few items and small numbers. Of its rules, only those are kept that Capstan's kinds have. */
export const arbitraryOf = (schema: StructuralSchema): fc.Arbitrary<unknown> => {
  if (schema["x-kubernetes-int-or-string"]) {
    return fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constant(schema.pattern === undefined ? "20%" : "2Gi"));
  }
  switch (schema.type) {
    case "object":
      return object(schema);
    case "array":
      return list(schema);
    case "string":
      return text(schema);
    case "boolean":
      return fc.boolean();
    case "integer":
      return bounded(schema);
    default:
      return fc.constantFrom<unknown>("any", 1, { nested: [true] });
  }
};

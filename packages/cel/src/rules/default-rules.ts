import type { Cause, StructuralSchema } from "@capstan/schema";
import { compileSchemaRules } from "./schema-rules.ts";

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

/** The default of one node against the rules at and below it, as if it were a field. */
const causesOf = (schema: StructuralSchema, path: string): readonly Cause[] => {
  const rules = compileSchemaRules({ type: "object", properties: { default: schema } }, path);
  if (rules.isEmpty) return [];
  const value = { default: schema.default };
  const causes = rules.evaluate(value, undefined);
  const all = causes.length > 0 ? causes : rules.evaluate(value, value);
  return all.map((cause) => ({ ...cause, field: `${path}.${cause.field}` }));
};

/**
 * Defaults that the CEL rules of a schema do not allow, as a new value or as one that stays. Those of map values are not looked at. `path`
 * is where the schema stands.
 */
export const defaultRuleCauses = (schema: StructuralSchema, path: string): readonly Cause[] => [
  ...(isSet(schema.default) ? causesOf(schema, path) : []),
  ...(schema.items === undefined ? [] : defaultRuleCauses(schema.items, `${path}.items`)),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    defaultRuleCauses(property, `${path}.properties[${name}]`),
  ),
];

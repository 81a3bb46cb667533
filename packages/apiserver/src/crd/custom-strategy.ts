import type { Cause, KubeObject, StructuralSchema } from "@capstan/schema";
import { blocksRules, validate } from "@capstan/schema/structural";
import type { SchemaRules } from "../cel/schema-rules.ts";
import { compileSchemaRules } from "../cel/schema-rules.ts";
import type { Strategy } from "../model/types.ts";

const notChecked: Cause = {
  reason: "FieldValueInvalid",
  field: "<nil>",
  message:
    "Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
};

/** Causes of the schema, then of its CEL rules unless the object is too far off for them. */
const causesOf = (
  schema: StructuralSchema,
  rules: SchemaRules,
  object: KubeObject,
  old: KubeObject | undefined,
): readonly Cause[] => {
  const causes = validate(schema, object, old === undefined ? {} : { oldValue: old });
  if (rules.isEmpty) return causes;
  return blocksRules(causes) ? [...causes, notChecked] : [...causes, ...rules.evaluate(object, old)];
};

/** How objects of a custom kind are validated. `schema` is that of the definition's version. */
export const customStrategy = (schema: StructuralSchema): Strategy => {
  let rules: SchemaRules | undefined;
  const compiled = (): SchemaRules => (rules ??= compileSchemaRules(schema, ""));
  return {
    validate: (object) => causesOf(schema, compiled(), object, undefined),
    validateUpdate: (object, old) => causesOf(schema, compiled(), object, old),
  };
};

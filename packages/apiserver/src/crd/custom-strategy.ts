import type { Cause, KubeObject, StructuralSchema } from "@capstan/schema";
import { blocksRules, validate } from "@capstan/schema/structural";
import type { SchemaRules } from "../cel/schema-rules.ts";
import { compileSchemaRules } from "../cel/schema-rules.ts";
import type { ScalePaths, Strategy } from "../model/types.ts";
import { scaleCauses } from "./scale-causes.ts";

const notChecked: Cause = {
  reason: "FieldValueInvalid",
  field: "<nil>",
  message:
    "Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
};

/** What objects of one version of a custom kind are validated by. */
interface CustomChecks {
  /** Of the definition's version. */
  readonly schema: StructuralSchema;
  /** Of its subresource `scale`, where there is one. */
  readonly scale: ScalePaths | undefined;
}

/** Causes of the schema and the scale, then of its CEL rules unless the object is too far off for them. */
const causesOf = (
  { schema, scale }: CustomChecks,
  rules: SchemaRules,
  object: KubeObject,
  old?: KubeObject,
  subresource = "",
): readonly Cause[] => {
  const causes = [
    ...validate(schema, object, old === undefined ? {} : { oldValue: old }),
    ...scaleCauses(scale, object, subresource),
  ];
  if (rules.isEmpty) return causes;
  return blocksRules(causes) ? [...causes, notChecked] : [...causes, ...rules.evaluate(object, old)];
};

/** How objects of a custom kind are validated. */
export const customStrategy = (checks: CustomChecks): Strategy => {
  let rules: SchemaRules | undefined;
  const compiled = (): SchemaRules => (rules ??= compileSchemaRules(checks.schema, ""));
  return {
    validate: (object) => causesOf(checks, compiled(), object),
    validateUpdate: (object, old, _, subresource) => causesOf(checks, compiled(), object, old, subresource),
  };
};

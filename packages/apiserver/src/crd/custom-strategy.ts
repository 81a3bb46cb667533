import { flowOf } from "@capstan/evaluation";
import type { Cause, KubeObject, StructuralSchema } from "@capstan/schema";
import { blocksRules, validate } from "@capstan/schema/structural";
import { type ObjectRules, objectRules } from "../cel/long-rules.ts";
import { lazySchemaRules } from "@capstan/cel/rules";
import type { HookContext, ScalePaths, Strategy } from "../model/types.ts";
import { plainFinalizers } from "../registry/metadata.ts";
import { createLongValidation } from "./long-validation.ts";
import { scaleCauses } from "./scale-causes.ts";

const notChecked: Cause = {
  reason: "FieldValueInvalid",
  field: "<nil>",
  message:
    "Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
};

/** Constraints on objects of one version of a custom kind. */
interface CustomChecks {
  /** Schema of the definition's version. */
  readonly schema: StructuralSchema;
  /** Paths of its subresource `scale`, if it has one. */
  readonly scale: ScalePaths | undefined;
}

/** Causes of the schema and the scale. */
const causesOf = (
  { schema, scale }: CustomChecks,
  object: KubeObject,
  old?: KubeObject,
  subresource = "",
): readonly Cause[] => [
  ...validate(schema, object, old === undefined ? {} : { oldValue: old }),
  ...scaleCauses(scale, object, subresource),
];

/** Warns of finalizers without a domain, in the words of Kubernetes; built-in kinds refuse them. */
const warnOfFinalizers = (object: KubeObject, old: KubeObject | undefined, context: HookContext): void => {
  const known = new Set([...plainFinalizers, ...(old?.metadata.finalizers ?? [])]);
  for (const finalizer of object.metadata.finalizers ?? []) {
    if (finalizer.includes("/") || known.has(finalizer)) continue;
    context.warn(
      `metadata.finalizers: ${JSON.stringify(finalizer)}: prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`,
    );
  }
};

/** Returns the strategy that validates objects of a custom kind; CEL rules are skipped if the object is too invalid for them. */
export const customStrategy = (checks: CustomChecks): Strategy => {
  let rules: ReturnType<typeof lazySchemaRules> | undefined;
  let evaluate: ObjectRules | undefined;
  const longValidation = createLongValidation(checks.schema);
  return {
    validate: (object, context) => {
      warnOfFinalizers(object, undefined, context);
      return causesOf(checks, object);
    },
    validateUpdate: (object, old, context, subresource) => {
      warnOfFinalizers(object, old, context);
      return causesOf(checks, object, old, subresource);
    },
    validateLong: async (object, old, context, subresource) => {
      warnOfFinalizers(object, old, context);
      const found = await longValidation(object, old, flowOf(object.metadata.namespace, context.user.name));
      return [...found, ...scaleCauses(checks.scale, object, subresource)];
    },
    validateRules: async (object, old, found, { user }) => {
      rules ??= lazySchemaRules(checks.schema);
      if (rules.isEmpty) return [];
      if (blocksRules(found)) return [notChecked];
      evaluate ??= objectRules(checks.schema, rules);
      return evaluate(object, old, flowOf(object.metadata.namespace, user.name));
    },
  };
};

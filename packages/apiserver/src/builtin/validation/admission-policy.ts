import type { KubeObject } from "@capstan/schema";
import { compileAdmissionExpression } from "../../cel/admission-expressions.ts";
import { listOf, type Part, partOf, specOf } from "../../values/object-parts.ts";
import { type Causes, oneOf, required } from "./causes.ts";
import { conditionCauses } from "./webhook-configuration.ts";

const expressionCauses = (field: string, expression: unknown, result?: "bool" | "string"): Causes => {
  if (typeof expression !== "string") return [];
  const compiled = compileAdmissionExpression(expression, { scope: "policy", field, ...(result && { result }) });
  return "cause" in compiled ? [compiled.cause] : [];
};

/** Mistakes in the expressions of a policy. */
const policyExpressionCauses = (spec: Part): Causes => [
  ...conditionCauses("policy", "spec.matchConditions", spec["matchConditions"]),
  ...listOf(spec["variables"]).flatMap((variable, index) =>
    expressionCauses(`spec.variables[${index}].expression`, partOf(variable)["expression"]),
  ),
  ...listOf(spec["validations"]).flatMap((validation, index) => {
    const { expression, messageExpression } = partOf(validation);
    return [
      ...expressionCauses(`spec.validations[${index}].expression`, expression, "bool"),
      ...expressionCauses(`spec.validations[${index}].messageExpression`, messageExpression, "string"),
    ];
  }),
];

export const policyCauses = (object: KubeObject): Causes => {
  const spec = specOf(object);
  const decides = listOf(spec["validations"]).length + listOf(spec["auditAnnotations"]).length > 0;
  return [
    ...(decides
      ? []
      : [required("spec.validations", "validations or auditAnnotations must contain at least one item")]),
    ...(spec["matchConstraints"] === undefined ? [required("spec.matchConstraints")] : []),
    ...(listOf(partOf(spec["matchConstraints"])["resourceRules"]).length === 0
      ? [required("spec.matchConstraints.resourceRules")]
      : []),
    ...oneOf("spec.failurePolicy", spec["failurePolicy"], ["Fail", "Ignore"]),
    ...policyExpressionCauses(spec),
  ];
};

export const bindingCauses = (object: KubeObject): Causes => {
  const actions = listOf(specOf(object)["validationActions"]);
  return [
    ...(actions.length === 0 ? [required("spec.validationActions")] : []),
    ...actions.flatMap((action, index) => oneOf(`spec.validationActions[${index}]`, action, ["Audit", "Deny", "Warn"])),
  ];
};

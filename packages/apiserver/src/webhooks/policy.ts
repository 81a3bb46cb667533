import { Budget, type Program, type Value } from "@capstan/cel";
import type { KubeObject } from "@capstan/schema";
import {
  admissionBindings,
  type AdmissionVariables,
  compileAdmissionExpression,
  compileMatchConditions,
  type MatchCondition,
} from "../cel/admission-expressions.ts";
import type { Matching, Rule } from "./match-rules.ts";

interface MatchResources {
  readonly resourceRules?: readonly Rule[];
  readonly excludeResourceRules?: readonly Rule[];
  readonly matchPolicy?: string;
  readonly namespaceSelector?: unknown;
  readonly objectSelector?: unknown;
}

interface PolicySpec {
  readonly failurePolicy?: string;
  readonly paramKind?: { readonly apiVersion?: string; readonly kind?: string };
  readonly matchConstraints?: MatchResources;
  readonly matchConditions?: readonly MatchCondition[];
  readonly variables?: readonly { readonly name: string; readonly expression: string }[];
  readonly validations?: readonly {
    readonly expression: string;
    readonly message?: string;
    readonly reason?: string;
    readonly messageExpression?: string;
  }[];
  readonly auditAnnotations?: readonly { readonly key: string; readonly valueExpression: string }[];
}

/** `spec` of a ValidatingAdmissionPolicyBinding. */
export interface BindingSpec {
  readonly policyName: string;
  readonly paramRef?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly selector?: unknown;
    readonly parameterNotFoundAction?: string;
  };
  readonly matchResources?: MatchResources;
  readonly validationActions: readonly string[];
}

/**
 * Why a policy refuses an object: an expression is `false`, an expression could not be evaluated (`error`), or the binding does
 * not work (`configuration`).
 */
export interface Violation {
  readonly type: "false" | "error" | "configuration";
  readonly message: string;
  readonly reason: string;
  /** Which validation. */
  readonly index: number;
}

/** What a policy finds in a request. */
export interface Findings {
  readonly violations: readonly Violation[];
  /** Of the audit event. */
  readonly annotations: readonly (readonly [key: string, value: string])[];
}

/** A policy whose expressions are compiled. */
export interface Policy {
  readonly name: string;
  readonly matching: Matching;
  readonly failurePolicy: string;
  readonly paramKind: PolicySpec["paramKind"];
  /** It was made from this object. */
  readonly source: KubeObject;
  /** `budgets` makes those of its conditions, validations and annotations. Throws `PatienceSpent` where these have patience. */
  readonly find: (variables: AdmissionVariables, budgets?: () => Budget) => Findings;
}

/** What is wrong with a policy as a whole, or with the way to it. */
export const wholeViolation = (type: Violation["type"], message: string): Violation => ({
  type,
  message,
  reason: "Invalid",
  index: 0,
});

type Violations = (variables: AdmissionVariables, budget: Budget) => readonly Violation[];

/** Annotations of the audit event, by key; a text of why a value cannot be had counts as a violation. */
type Annotations = (
  variables: AdmissionVariables,
  budget: Budget,
) => {
  readonly values: readonly (readonly [key: string, value: string])[];
  readonly errors: readonly string[];
};

/** Absent `resourceRules` of a binding leave the choice to the policy. */
export const matchingOf = (match: MatchResources = {}): Matching => {
  const { resourceRules, excludeResourceRules, ...rest } = match;
  const everything: Rule = { operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*", "*/*"] };
  const rules = resourceRules === undefined || resourceRules.length === 0 ? [everything] : resourceRules;
  return { ...rest, rules, ...(excludeResourceRules === undefined ? {} : { excludeRules: excludeResourceRules }) };
};

type Compiled = { readonly program: Program } | { readonly error: string };

const compiled = (expression: string, field: string, result?: "bool" | "string"): Compiled => {
  const outcome = compileAdmissionExpression(expression, { scope: "policy", field, ...(result && { result }) });
  return "program" in outcome ? outcome : { error: outcome.cause.message };
};

type Result = { readonly value: Value } | { readonly error: string };
type Bindings = ReturnType<typeof admissionBindings>;

const evaluated = (expression: Compiled, bindings: Bindings, budget: Budget): Result => {
  if ("error" in expression) return expression;
  const outcome = expression.program.evaluate(bindings, { budget });
  return outcome.ok ? { value: outcome.value } : { error: outcome.error.message };
};

type NamedExpressions = readonly { readonly name: string; readonly expression: Compiled }[];

/** `variables` that fail are absent, so that what reads them fails. */
const bindingsWith = (named: NamedExpressions, given: AdmissionVariables, budget: Budget): Bindings => {
  const variables: Record<string, Value> = {};
  const bindings = { ...admissionBindings(given), variables };
  for (const { name, expression } of named) {
    const result = evaluated(expression, bindings, budget);
    if ("value" in result) variables[name] = result.value;
  }
  return bindings;
};

const compiledVariables = (spec: PolicySpec): NamedExpressions =>
  (spec.variables ?? []).map(({ name, expression }, index) => ({
    name,
    expression: compiled(expression, `spec.variables[${index}].expression`),
  }));

/** Evaluates validations one by one. */
const compiledViolations = (spec: PolicySpec): Violations => {
  const named = compiledVariables(spec);
  const validations = (spec.validations ?? []).map((validation, index) => ({
    ...validation,
    source: validation.expression,
    check: compiled(validation.expression, `spec.validations[${index}].expression`, "bool"),
    text:
      validation.messageExpression === undefined
        ? undefined
        : compiled(validation.messageExpression, `spec.validations[${index}].messageExpression`, "string"),
  }));
  return (given, budget) => {
    const bindings = bindingsWith(named, given, budget);
    return validations.flatMap(({ check, source, text, message, reason = "Invalid" }, index): readonly Violation[] => {
      const result = evaluated(check, bindings, budget);
      if ("error" in result) {
        return [{ type: "error", message: `expression '${source}' resulted in error: ${result.error}`, reason, index }];
      }
      if (result.value === true) return [];
      const computed = text === undefined ? undefined : evaluated(text, bindings, budget);
      const own = computed !== undefined && "value" in computed ? computed.value : undefined;
      const written = typeof own === "string" && own.trim() !== "" ? own : (message ?? "");
      return [{ type: "false", message: written === "" ? `failed expression: ${source}` : written, reason, index }];
    });
  };
};

/** Values that are null or empty are left out. */
const compiledAnnotations = (spec: PolicySpec): Annotations => {
  const named = compiledVariables(spec);
  const annotations = (spec.auditAnnotations ?? []).map(({ key, valueExpression }, index) => ({
    key,
    value: compiled(valueExpression, `spec.auditAnnotations[${index}].valueExpression`),
  }));
  if (annotations.length === 0) return () => ({ values: [], errors: [] });
  return (given, budget) => {
    const bindings = bindingsWith(named, given, budget);
    const values: (readonly [string, string])[] = [];
    const errors: string[] = [];
    for (const { key, value } of annotations) {
      const result = evaluated(value, bindings, budget);
      if ("error" in result) errors.push(`auditAnnotation '${key}' resulted in error: ${result.error}`);
      else if (typeof result.value === "string" && result.value !== "") values.push([key, result.value]);
    }
    return { values, errors };
  };
};

/** Compiles a ValidatingAdmissionPolicy. Mistakes in expressions show when they are evaluated. */
export const compilePolicy = (object: KubeObject): Policy => {
  const spec = (object["spec"] ?? {}) as PolicySpec;
  const options = { scope: "policy", field: "spec.matchConditions" } as const;
  const conditions = compileMatchConditions(spec.matchConditions ?? [], options);
  const violationsOf = compiledViolations(spec);
  const annotationsOf = compiledAnnotations(spec);
  return {
    name: object.metadata.name ?? "",
    matching: matchingOf(spec.matchConstraints),
    failurePolicy: spec.failurePolicy ?? "Fail",
    paramKind: spec.paramKind,
    source: object,
    find: (variables, budgets = () => new Budget()) => {
      const outcome = conditions.evaluate(variables, budgets());
      if ("error" in outcome) return { violations: [wholeViolation("error", outcome.error)], annotations: [] };
      if (!outcome.matches) return { violations: [], annotations: [] };
      const { values, errors } = annotationsOf(variables, budgets());
      const failed = errors.map((message) => wholeViolation("error", message));
      return { violations: [...violationsOf(variables, budgets()), ...failed], annotations: values };
    },
  };
};

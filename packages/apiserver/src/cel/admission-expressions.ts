import { Authorizer, authorizerType, Budget, compile, dyn, resourceCheck, resourceCheckType } from "@capstan/cel";
import type { AuthorizationAnswer, AuthorizationQuery, CelType, Program, Value } from "@capstan/cel";
import type { Cause, KubeObject } from "@capstan/schema";

/** Variables of the expressions of webhooks and policies. */
export interface AdmissionVariables {
  /** Null for a deletion. */
  readonly object: KubeObject | null;
  /** Null for a creation. */
  readonly oldObject: KubeObject | null;
  /** The `request` member of an AdmissionReview, without the objects. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly authorize: (query: AuthorizationQuery) => AuthorizationAnswer;
  /** The resource `authorizer.requestResource` asks about; the expression adds the verb. */
  readonly requestResource: Omit<AuthorizationQuery, "verb">;
  /** Policies only; null for cluster-scoped objects. */
  readonly namespaceObject?: KubeObject | null;
  /** Policies with a paramKind only. */
  readonly params?: KubeObject | null;
  /** Policies only: their `variables` by name. */
  readonly variables?: Readonly<Record<string, Value>>;
}

/** A condition of a webhook configuration or a policy. */
export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** `webhook`: object, oldObject, request and authorizer. `policy`: also namespaceObject, params and variables. */
export type ExpressionScope = "webhook" | "policy";

const declarations: Readonly<Record<ExpressionScope, Readonly<Record<string, CelType>>>> = (() => {
  const webhook = {
    object: dyn,
    oldObject: dyn,
    request: dyn,
    authorizer: authorizerType,
    "authorizer.requestResource": resourceCheckType,
  };
  return { webhook, policy: { ...webhook, namespaceObject: dyn, params: dyn, variables: dyn } };
})();

/** Compiles an expression; a mistake becomes a cause at `field`. `result` is the type the expression must have. */
export const compileAdmissionExpression = (
  source: string,
  options: { readonly scope: ExpressionScope; readonly field: string; readonly result?: "bool" | "string" },
): { readonly program: Program } | { readonly cause: Cause } => {
  const { scope, field, result } = options;
  const fail = (message: string) => ({
    cause: {
      reason: "FieldValueInvalid",
      field,
      message: `Invalid value: ${JSON.stringify(source)}: ${message}`,
    } as const,
  });
  const compiled = compile(source, { declarations: declarations[scope] });
  if (!compiled.ok) return fail(`compilation failed: ${compiled.errors.map(({ message }) => message).join("\n")}`);
  const { kind } = compiled.program.type;
  if (result !== undefined && kind !== result && kind !== "dyn") return fail(`must evaluate to ${result}`);
  return { program: compiled.program };
};

/** The variables as bindings of a compiled expression. */
export const admissionBindings = (variables: AdmissionVariables): Readonly<Record<string, unknown>> => {
  const authorizer = new Authorizer(variables.authorize);
  return {
    object: variables.object,
    oldObject: variables.oldObject,
    request: variables.request,
    authorizer,
    "authorizer.requestResource": resourceCheck(authorizer, variables.requestResource),
    namespaceObject: variables.namespaceObject ?? null,
    params: variables.params ?? null,
    variables: variables.variables ?? {},
  };
};

/** `error`: no condition was false and at least one could not be evaluated. */
export type MatchOutcome = { readonly matches: boolean } | { readonly error: string };

export interface MatchConditions {
  readonly causes: readonly Cause[];
  /** Throws `PatienceSpent` where the budget has patience. */
  readonly evaluate: (variables: AdmissionVariables, budget?: Budget) => MatchOutcome;
}

/** Compiles `matchConditions`. All must be true; one that is false decides even if another one fails. */
export const compileMatchConditions = (
  conditions: readonly MatchCondition[],
  options: { readonly scope: ExpressionScope; readonly field: string },
): MatchConditions => {
  const compiled = conditions.map(({ name, expression }, index) => ({
    name,
    result: compileAdmissionExpression(expression, {
      scope: options.scope,
      field: `${options.field}[${index}].expression`,
      result: "bool",
    }),
  }));
  const causes = compiled.flatMap(({ result }) => ("cause" in result ? [result.cause] : []));
  const evaluate = (variables: AdmissionVariables, budget = new Budget()): MatchOutcome => {
    const bindings = admissionBindings(variables);
    const errors: string[] = [];
    for (const { name, result } of compiled) {
      if ("cause" in result) {
        errors.push(`${name}: ${result.cause.message}`);
        continue;
      }
      const outcome = result.program.evaluate(bindings, { budget });
      if (outcome.ok && outcome.value === false) return { matches: false };
      if (!outcome.ok) errors.push(`${name}: ${outcome.error.message}`);
      else if (outcome.value !== true) errors.push(`${name}: the condition is not a boolean`);
    }
    return errors.length === 0 ? { matches: true } : { error: errors.join("; ") };
  };
  return { causes, evaluate };
};

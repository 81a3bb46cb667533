import { Budget, PatienceSpent } from "../budget.ts";
import { celTypeOf, maxOccurrences } from "../types/schema-type.ts";
import { compile, type Program } from "../compile.ts";
import { optional, type CelType } from "../types/cel-type.ts";
import type { Cause, StructuralSchema, ValidationRule } from "@capstan/schema";
import { ruleFieldPath, ruleNodes, walkRules } from "@capstan/schema/structural";
import type { RuleNode, RuleSite } from "@capstan/schema/structural";
import { maxCounts } from "./max-counts.ts";

/** Estimated maximum costs of one rule for all values it applies to, and of all rules of a definition. */
const ruleCostLimit = 10_000_000;
export const definitionCostLimit = 100_000_000;

interface CompiledRule {
  readonly rule: ValidationRule;
  readonly program: Program;
  readonly message: Program | undefined;
  readonly usesOldSelf: boolean;
}

/** The CEL rules of one schema, ready to run. */
export interface SchemaRules {
  /** Estimated cost of all rules. */
  readonly cost: number;
  /** Errors in the rules that the API server rejects; such rules are not run. */
  readonly causes: readonly Cause[];
  /** False when there is nothing to run. */
  readonly isEmpty: boolean;
  /** Causes of an object; `old` is absent on create. Throws `PatienceSpent` where the budget has patience. */
  readonly evaluate: (object: unknown, old: unknown, budget?: Budget) => readonly Cause[];
}

const invalid = (field: string, message: string): Cause => ({
  reason: "FieldValueInvalid",
  field,
  message: `Invalid value: ${message}`,
});

const tooExpensive = (field: string, cost: number, limit: number): Cause => ({
  reason: "FieldValueForbidden",
  field,
  message: `Forbidden: estimated rule cost exceeds budget by factor of ${
    cost / limit > 100 ? "more than 100x" : `${(cost / limit).toFixed(1)}x`
  } (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`,
});

/** Compiles one expression of a rule; mistakes go to `causes`. */
const compileAt = (
  field: string,
  source: string,
  wanted: "bool" | "string",
  declarations: Readonly<Record<string, CelType>>,
  causes: Cause[],
): Program | undefined => {
  const compiled = compile(source, { declarations });
  if (!compiled.ok) {
    const text = compiled.errors.map(({ message }) => message).join("\n");
    causes.push(invalid(field, `${JSON.stringify(source)}: compilation failed: ${text}`));
    return undefined;
  }
  if (compiled.program.type.kind !== wanted) {
    causes.push(invalid(field, `${JSON.stringify(source)}: must evaluate to ${wanted}`));
    return undefined;
  }
  return compiled.program;
};

interface NodeContext {
  readonly node: RuleNode;
  readonly type: CelType;
  readonly count: number;
}

const compileRule = (
  { node, type, count }: NodeContext,
  rule: ValidationRule,
  field: string,
  causes: Cause[],
): { readonly compiled?: CompiledRule; readonly cost: number } => {
  const oldType = rule.optionalOldSelf === true ? optional(type) : type;
  const declarations = { self: type, oldSelf: oldType };
  const program = compileAt(`${field}.rule`, rule.rule, "bool", declarations, causes);
  const message =
    rule.messageExpression === undefined
      ? undefined
      : compileAt(`${field}.messageExpression`, rule.messageExpression, "string", declarations, causes);
  if (program === undefined) return { cost: 0 };
  const usesOldSelf = program.uses("oldSelf");
  if (usesOldSelf && !node.correlatable) {
    const reason = "oldSelf cannot be used on the uncorrelatable portion of the schema";
    causes.push(invalid(`${field}.rule`, `${JSON.stringify(rule.rule)}: ${reason}`));
  }
  if (!usesOldSelf && rule.optionalOldSelf !== undefined) {
    const detail = `${rule.optionalOldSelf}: may not be set if oldSelf is not used in rule`;
    causes.push(invalid(`${field}.optionalOldSelf`, detail));
  }
  const cost = program.maxCost * count;
  if (cost > ruleCostLimit) causes.push(tooExpensive(`${field}.rule`, cost, ruleCostLimit));
  const messageCost = (message?.maxCost ?? 0) * count;
  if (messageCost > ruleCostLimit) {
    causes.push(tooExpensive(`${field}.messageExpression`, messageCost, ruleCostLimit));
  }
  return { compiled: { rule, program, message, usesOldSelf }, cost: cost + messageCost };
};

const messageOf = ({ rule, message }: CompiledRule, bindings: Readonly<Record<string, unknown>>, budget: Budget) => {
  const computed = message?.evaluate(bindings, { budget });
  const text = computed?.ok === true && typeof computed.value === "string" ? computed.value.trim() : "";
  if (text !== "" && text.length <= 5120 && !/[\r\n]/.test(text)) return text;
  return rule.message ?? `failed rule: ${rule.rule.trim()}`;
};

const typeName = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value === "number" ? "number" : typeof value;

/** A value as messages show it: only scalars; `undefined` for what would be too much, and where another field is named. */
const shown = (value: unknown): string | undefined =>
  typeof value === "object" && value !== null ? undefined : JSON.stringify(value);

const parts = (...texts: readonly (string | undefined)[]): string =>
  texts.filter((text) => text !== undefined).join(": ");

/** Messages for a value that a rule rejects, by the reason of the rule. */
const texts: Readonly<
  Record<NonNullable<ValidationRule["reason"]>, (message: string, value: string | undefined) => string>
> = {
  FieldValueInvalid: (message, value) => parts("Invalid value", value, message),
  FieldValueForbidden: (message) => parts("Forbidden", message),
  FieldValueRequired: (message) => parts("Required value", message),
  FieldValueDuplicate: (_message, value) => parts("Duplicate value", value),
};

/** The object itself has no path. */
const fieldAt = (path: string): string => (path === "" ? "<nil>" : path);

const join = (path: string, relative: string): string =>
  path === "" || relative.startsWith("[") ? `${path}${relative}` : `${path}.${relative}`;

const failure = (
  site: RuleSite,
  compiled: CompiledRule,
  bindings: Readonly<Record<string, unknown>>,
  budget: Budget,
): Cause => {
  const { rule } = compiled;
  const reason = rule.reason ?? "FieldValueInvalid";
  const relative = rule.fieldPath === undefined ? undefined : ruleFieldPath(site.schema, rule.fieldPath);
  const field = relative === undefined ? fieldAt(site.path) : join(site.path, relative);
  const value = rule.fieldPath === undefined ? shown(site.self) : undefined;
  return { reason, field, message: texts[reason](messageOf(compiled, bindings, budget), value) };
};

/** Runs one rule; gives `stop` when no other rule may be run. */
const runRule = (
  site: RuleSite,
  compiled: CompiledRule,
  budget: Budget,
): { readonly cause?: Cause; readonly stop?: true } => {
  const { rule, program, usesOldSelf } = compiled;
  if (usesOldSelf && !site.correlated && rule.optionalOldSelf !== true) return {};
  if (site.unchanged && !usesOldSelf) return {};
  const bindings = { self: site.self, oldSelf: site.oldSelf };
  const result = program.evaluate(bindings, { budget });
  if (result.ok) return result.value === true ? {} : { cause: failure(site, compiled, bindings, budget) };
  const value = JSON.stringify(typeName(site.self));
  const field = fieldAt(site.path);
  if (result.error.kind === "evaluation") {
    const what = `${result.error.message} evaluating rule: ${rule.message ?? rule.rule.trim()}`;
    return { cause: invalid(field, `${value}: ${what}`) };
  }
  const why =
    budget.remaining <= 0
      ? "validation failed due to running out of cost budget"
      : `call cost exceeds limit for rule: ${rule.rule}`;
  return { cause: invalid(field, `${value}: ${why}, no further validation rules will be run`), stop: true };
};

/** Compiles the rules of a schema. `path` is where the schema stands, for example `spec.validation.openAPIV3Schema`. */
export const compileSchemaRules = (schema: StructuralSchema, path: string): SchemaRules => {
  const causes: Cause[] = [];
  const compiled = new Map<StructuralSchema, readonly CompiledRule[]>();
  const counts = maxCounts(schema);
  let cost = 0;
  for (const node of ruleNodes(schema, path)) {
    const type = celTypeOf(node.schema, { isResource: node.resource });
    const at = `${node.path}.x-kubernetes-validations`;
    if (type === undefined) {
      causes.push(invalid(at, "rules cannot see content without a known type"));
      continue;
    }
    const bounded = counts.get(node.schema) ?? 1;
    const count = bounded < Infinity ? bounded : maxOccurrences(node.schema, { isResource: node.resource });
    const rules = node.rules.map((rule, index) => {
      const result = compileRule({ node, type, count }, rule, `${at}[${index}]`, causes);
      cost += result.cost;
      return result.compiled;
    });
    compiled.set(
      node.schema,
      rules.filter((rule) => rule !== undefined),
    );
  }
  const rulesOf = (node: StructuralSchema): readonly CompiledRule[] => compiled.get(node) ?? [];
  return { cost, causes, isEmpty: compiled.size === 0, evaluate: evaluator(schema, rulesOf) };
};

/** Work that compiling a rule takes from the patience of a budget. */
const compileWork = 100;

/** The rules of a schema that was found to be in order, ready to run: each is compiled when the first value needs it. */
export const lazySchemaRules = (schema: StructuralSchema): Pick<SchemaRules, "evaluate" | "isEmpty"> => {
  const nodes = new Map(ruleNodes(schema, "").map((node) => [node.schema, node]));
  const compiled = new Map<StructuralSchema, readonly CompiledRule[]>();
  const compiledOf = (node: RuleNode): readonly CompiledRule[] => {
    const type = celTypeOf(node.schema, { isResource: node.resource });
    if (type === undefined) return [];
    return node.rules.flatMap((rule) => compileRule({ node, type, count: 1 }, rule, "", []).compiled ?? []);
  };
  const rulesOf = (of: StructuralSchema, budget: Budget): readonly CompiledRule[] => {
    const node = nodes.get(of);
    if (node === undefined) return [];
    const known = compiled.get(of);
    if (known !== undefined) return known;
    const rules = compiledOf(node);
    compiled.set(of, rules);
    budget.patience -= rules.length * compileWork;
    if (budget.patience < 0) throw new PatienceSpent();
    return rules;
  };
  return { isEmpty: nodes.size === 0, evaluate: evaluator(schema, rulesOf) };
};

const evaluator =
  (schema: StructuralSchema, rulesOf: (node: StructuralSchema, budget: Budget) => readonly CompiledRule[]) =>
  (object: unknown, old: unknown, budget = new Budget()): readonly Cause[] => {
    const causes: Cause[] = [];
    let stopped = false;
    walkRules(schema, object, old, (site) => {
      for (const rule of stopped ? [] : rulesOf(site.schema, budget)) {
        if (stopped) return;
        const { cause, stop } = runRule(site, rule, budget);
        if (cause !== undefined) causes.push(cause);
        stopped = stop === true;
      }
    });
    return causes;
  };

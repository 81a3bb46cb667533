import { PatienceSpent } from "@capstan/cel";
import { isCapstanError } from "@capstan/contract";
import { defineEvaluation, evaluateInThread } from "@capstan/evaluation";
import type { Cause, StructuralSchema } from "@capstan/schema";
import { tooManyRequests } from "../model/status-error.ts";
import { lazySchemaRules, type SchemaRules } from "@capstan/cel/rules";
import { shortBudget } from "./short-budget.ts";

interface Input {
  /** The schema as JSON. */
  readonly schema: string;
  readonly object: unknown;
  readonly old: unknown;
}

/** Schemas whose rules a thread keeps. */
const mostSchemas = 4;
type Rules = Pick<SchemaRules, "evaluate">;

const compiled = new Map<string, Rules>();

const rulesOf = (schema: string): Rules => {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const rules = lazySchemaRules(JSON.parse(schema) as StructuralSchema);
  if (compiled.size >= mostSchemas) compiled.clear();
  compiled.set(schema, rules);
  return rules;
};

const longRules = defineEvaluation(import.meta.url, {
  name: "apiserver/schema-rules",
  run: ({ object, old, schema }: Input) => rulesOf(schema).evaluate(object, old),
});

/** The rules of a schema, for objects of users. `flow`: for whom. Throws a 429. */
export type ObjectRules = (object: unknown, old: unknown, flow: string) => Promise<readonly Cause[]>;

/** Returns the cause for rules that cannot be evaluated: they are refused, as those that cost too much are. Throws a 429. */
const notEvaluated = (error: unknown): readonly Cause[] => {
  if (isCapstanError(error, "evaluation.too_many")) throw tooManyRequests(error.message, 1);
  if (!isCapstanError(error)) throw error;
  const message = `Invalid value: "object": ${error.message}, no further validation rules will be run`;
  return [{ reason: "FieldValueInvalid", field: "<nil>", message }];
};

/** Evaluates the rules of a schema at once when that is short, otherwise in a thread. The verdict is the same. */
export const objectRules = (schema: StructuralSchema, rules: Rules): ObjectRules => {
  let text: string | undefined;
  return async (object, old, flow) => {
    try {
      return rules.evaluate(object, old, shortBudget());
    } catch (error) {
      if (!(error instanceof PatienceSpent)) throw error;
    }
    try {
      text ??= JSON.stringify(schema);
      return await evaluateInThread(longRules, { schema: text, object, old }, { what: "the object", flow });
    } catch (error) {
      return notEvaluated(error);
    }
  };
};

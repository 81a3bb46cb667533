import { hash } from "node:crypto";
import { isCapstanError } from "@capstan/contract";
import { defineEvaluation, evaluateInThread } from "@capstan/evaluation";
import type { Cause, StructuralSchema } from "@capstan/schema";
import { jsonText, validateSchema } from "@capstan/schema/structural";
import { forbidden } from "../builtin/validation/causes.ts";
import { compileSchemaRules, defaultRuleCauses, definitionCostLimit } from "@capstan/cel/rules";
import { tooManyRequests } from "../model/status-error.ts";

/** A schema of a definition, and where causes about it point. */
export interface PlacedSchema {
  readonly schema: StructuralSchema;
  readonly at: string;
}

const faultsOf = ({ schema, at }: PlacedSchema): readonly Cause[] => {
  const structural = validateSchema(schema, at);
  if (structural.length > 0) return structural;
  const rules = compileSchemaRules(schema, at);
  if (rules.causes.length === 0) {
    const defaults = defaultRuleCauses(schema, at);
    if (defaults.length > 0) return defaults;
  }
  return rules.cost <= definitionCostLimit
    ? rules.causes
    : [
        ...rules.causes,
        forbidden(at, "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget"),
      ];
};

/** Digests of schemas without faults, the latest last: every server that a process starts is given most of the same definitions. */
const faultless = new Set<string>();
/** Those of a hundred kinds in several versions and releases; one digest is 64 characters. */
const mostRemembered = 1_000;

const digestOf = (schema: StructuralSchema): string => hash("sha256", jsonText(schema));

const remember = (digest: string): void => {
  faultless.add(digest);
  const [oldest] = faultless;
  if (oldest !== undefined && faultless.size > mostRemembered) faultless.delete(oldest);
};

/** Everything that is wrong with a schema. */
export const schemaFaults = (placed: PlacedSchema): readonly Cause[] => {
  const digest = digestOf(placed.schema);
  if (faultless.has(digest)) return [];
  const faults = faultsOf(placed);
  if (faults.length === 0) remember(digest);
  return faults;
};

/** Work of compiling a rule or a pattern, in visited nodes of a schema. */
const [ruleWork, patternWork] = [4, 6];
/** Number of nodes that are visited in some ten milliseconds. */
const shortWork = 3_000;

/** Returns the work left after a visit of the schema; negative if the schema takes more. */
const leftOf = (work: number, schema: StructuralSchema): number => {
  const { additionalProperties, items, pattern, properties, "x-kubernetes-validations": rules = [] } = schema;
  let left = work - 1 - rules.length * ruleWork - (pattern === undefined ? 0 : patternWork);
  const parts = [
    ...(items === undefined ? [] : [items]),
    ...(typeof additionalProperties === "object" ? [additionalProperties] : []),
    ...Object.values(properties ?? {}),
  ];
  for (const part of parts) {
    if (left < 0) return left;
    if (typeof part === "object" && part !== null) left = leftOf(left, part);
  }
  return left;
};

/** Returns whether to look for faults takes so long that it is done in a thread. */
export const isLongSchema = (schema: StructuralSchema): boolean => leftOf(shortWork, schema) < 0;

const longFaults = defineEvaluation(import.meta.url, { name: "apiserver/schema-faults", run: faultsOf });

/** As `schemaFaults`, in a thread. `flow`: for whom. Throws a 429. */
export const longSchemaFaults = async (placed: PlacedSchema, flow: string): Promise<readonly Cause[]> => {
  const digest = digestOf(placed.schema);
  if (faultless.has(digest)) return [];
  try {
    const faults = await evaluateInThread(longFaults, placed, { what: "the schema", flow });
    if (faults.length === 0) remember(digest);
    return faults;
  } catch (error) {
    if (isCapstanError(error, "evaluation.too_many")) throw tooManyRequests(error.message, 1);
    if (!isCapstanError(error)) throw error;
    return [forbidden(placed.at, error.message)];
  }
};

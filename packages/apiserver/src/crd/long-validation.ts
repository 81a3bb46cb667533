import { isCapstanError } from "@capstan/contract";
import { defineEvaluation, evaluateTexts, textInTurns } from "@capstan/evaluation";
import type { Cause, KubeObject, StructuralSchema } from "@capstan/schema";
import { jsonText, parseJson, validate } from "@capstan/schema/structural";
import { requestTooLarge, tooManyRequests } from "../model/status-error.ts";

/** No one reads more of what is wrong with one object; the answer would be longer than the object. */
const mostCauses = 1_000;
/** Schemas that a thread keeps. */
const mostSchemas = 4;
const known = new Map<string, StructuralSchema>();

const schemaOf = (text: string): StructuralSchema => {
  const kept = known.get(text) ?? (JSON.parse(text) as StructuralSchema);
  if (known.size >= mostSchemas) known.clear();
  known.set(text, kept);
  return kept;
};

const longValidation = defineEvaluation(import.meta.url, {
  name: "apiserver/validation",
  run: ([schema = "", object = "", old = ""]: readonly string[]): readonly string[] => [
    jsonText(
      validate(schemaOf(schema), parseJson(object), old === "" ? {} : { oldValue: parseJson(old) }).slice(
        0,
        mostCauses,
      ),
    ),
  ],
});

/** Validates a large object by its schema; returns the first 1,000 causes. `flow`: for whom. Throws a 413 if it takes too long, and a 429. */
export type LongValidation = (
  object: KubeObject,
  old: KubeObject | undefined,
  flow: string,
) => Promise<readonly Cause[]>;

/** Does in a thread what `validate` does here. */
export const createLongValidation = (schema: StructuralSchema): LongValidation => {
  let schemaText: string | undefined;
  return async (object, old, flow) => {
    schemaText ??= JSON.stringify(schema);
    const texts = [schemaText, await textInTurns(object), old === undefined ? "" : await textInTurns(old)];
    try {
      const [causes = "[]"] = await evaluateTexts(longValidation, texts, { what: "the object", flow });
      return parseJson(causes) as readonly Cause[];
    } catch (error) {
      if (isCapstanError(error, "evaluation.too_many")) throw tooManyRequests(error.message, 1);
      if (isCapstanError(error, "evaluation.too_long")) throw requestTooLarge(error.message);
      throw error;
    }
  };
};

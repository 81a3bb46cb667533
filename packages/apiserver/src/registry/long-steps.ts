import { isCapstanError } from "@capstan/contract";
import { defineEvaluation, evaluateTexts, flowOf, textInTurns } from "@capstan/evaluation";
import { apiVersionOf, type KubeObject, type StructuralSchema } from "@capstan/schema";
import { jsonText, parseInTurns, parseJson } from "@capstan/schema/structural";
import { setImmediate as nextTurn } from "node:timers/promises";
import { bodyKindOf, decodeObject, normalised } from "../decode/decode-object.ts";
import { requestTooLarge, StatusError, tooManyRequests } from "../model/status-error.ts";
import type { ResourceDefinition, Status } from "../model/types.ts";
import { weightOf } from "./object-size.ts";
import { hasSubresource } from "./prepare.ts";
import type { Served } from "./served.ts";
import type { WriteCall } from "./write-call.ts";
import { appliedObject, type BodyText, ownersOf, patchedObject, type PlainPatch, type Writer } from "./write-steps.ts";

/** A definition as a thread makes it. */
type DefinitionKey = Pick<ResourceDefinition, "group" | "version" | "kind" | "plural" | "origin"> & {
  /** As JSON. */
  readonly schema: string;
  readonly hasStatus: boolean;
};

/** One step with what it needs besides the objects. */
type Step =
  | { readonly type: "decode"; readonly text: BodyText }
  | { readonly type: "patch"; readonly patch: PlainPatch["type"]; readonly text: BodyText }
  | { readonly type: "apply"; readonly force: boolean; readonly writer: Writer }
  | { readonly type: "owners"; readonly writer: Writer }
  | { readonly type: "normalise" };

interface Order {
  readonly definition: DefinitionKey;
  readonly fieldValidation: WriteCall["fieldValidation"];
  readonly step: Step;
}

interface Outcome {
  readonly warnings: readonly string[];
  /** Why there is no object. */
  readonly failure?: Status & { readonly code: number };
}

/** Definitions that a thread keeps. */
const mostDefinitions = 8;
const known = new Map<string, ResourceDefinition>();

/** As far as the steps look at it; the defaults of a kind that are no part of its schema are left to the caller. */
const madeDefinition = ({ hasStatus, schema, ...names }: DefinitionKey): ResourceDefinition => ({
  ...names,
  listKind: `${names.kind}List`,
  singular: "",
  shortNames: [],
  categories: [],
  namespaced: true,
  verbs: [],
  schema: JSON.parse(schema) as StructuralSchema,
  subresources: hasStatus ? [{ name: "status", verbs: [], behaviour: { type: "status" } }] : [],
  selectableFields: {},
  columns: [],
  strategy: {},
  storage: { store: "", apiVersion: apiVersionOf(names) },
});

const definitionOf = (key: DefinitionKey): ResourceDefinition => {
  const text = JSON.stringify(key);
  const kept = known.get(text) ?? madeDefinition(key);
  if (known.size >= mostDefinitions) known.clear();
  known.set(text, kept);
  return kept;
};

const done = (
  { definition: key, fieldValidation, step }: Order,
  [first, second]: readonly unknown[],
  warn: (message: string) => void,
): unknown => {
  const definition = definitionOf(key);
  const body = bodyKindOf(definition);
  const [object, live] = [first as KubeObject, second as KubeObject | undefined];
  switch (step.type) {
    case "decode":
      return decodeObject({ ...step.text, value: first }, { body, from: "body", fieldValidation, warn });
    case "patch": {
      const patch =
        step.patch === "json" ? { type: step.patch, operations: first } : { type: step.patch, patch: first };
      return patchedObject(body, live as KubeObject, patch, step.text, { fieldValidation, warn });
    }
    case "apply":
      return appliedObject(definition, { live, config: object, force: step.force }, step.writer);
    case "owners":
      return ownersOf(definition, { live, updated: object }, step.writer) ?? null;
    default:
      return normalised(definition, object);
  }
};

const longStep = defineEvaluation(import.meta.url, {
  name: "apiserver/write-step",
  run: ([order = "", ...texts]: readonly string[]): readonly string[] => {
    const warnings: string[] = [];
    const values = texts.map((text) => (text === "" ? undefined : parseJson(text)));
    try {
      const value = done(parseJson(order) as Order, values, (message) => warnings.push(message));
      return [jsonText({ warnings } satisfies Outcome), jsonText(value)];
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return [jsonText({ warnings, failure: error.status } satisfies Outcome)];
    }
  },
});

const schemaTexts = new WeakMap<StructuralSchema, string>();

const schemaText = (schema: StructuralSchema): string => {
  const text = schemaTexts.get(schema) ?? JSON.stringify(schema);
  schemaTexts.set(schema, text);
  return text;
};

const keyOf = (definition: ResourceDefinition): DefinitionKey => {
  const { group, kind, origin, plural, schema, version } = definition;
  const hasStatus = hasSubresource(definition, "status");
  return { group, version, kind, plural, origin, schema: schemaText(schema), hasStatus };
};

/** A shorter text is not that of a large object. */
const largeText = 2 ** 15;

/** Returns whether the steps of a write are those for an object that is `long`: the one before, or one that is made. */
export const isLongWrite = (call: WriteCall, live: Served | undefined, made: unknown): boolean => {
  const { definition } = call;
  if (call.isShort === true && (live === undefined || live.text.length < largeText)) return false;
  const objects = live === undefined ? [made] : [made, live.object];
  return objects.some((object) => weightOf(definition.schema, object) === "long");
};

const resultOf = async (call: WriteCall, [head = "", text]: readonly string[]): Promise<unknown> => {
  const { failure, warnings } = JSON.parse(head) as Outcome;
  warnings.forEach(call.warn);
  if (text !== undefined) return parseInTurns(text);
  const { code = 500, details, message = "", reason = "" } = failure ?? {};
  throw new StatusError(code, reason, message, details === undefined ? {} : { details });
};

/** The text of an object, or the object, which is written first. */
type ObjectOrText = KubeObject | string | undefined;

const textOf = async (value: unknown): Promise<string> =>
  typeof value === "string" ? value : value === undefined ? "" : textInTurns(value);

/**
 * Does a step for an object so large that it would keep the event loop too long: in a thread. What comes of it is what the step gives
 * here. Throws what the step throws, a 413 when it takes too long there as well, and a 429.
 */
export const longStepOf = async (
  call: WriteCall,
  step: Step,
  [first, second]: readonly [object: unknown, live?: ObjectOrText],
): Promise<unknown> => {
  const { definition, fieldValidation, namespace, user } = call;
  const order = jsonText({ definition: keyOf(definition), fieldValidation, step } satisfies Order);
  await nextTurn();
  const texts = [order, await textOf(first), await textOf(second)];
  try {
    const options = { what: "the object", flow: flowOf(namespace, user.name) };
    const result = await resultOf(call, await evaluateTexts(longStep, texts, options));
    return step.type === "owners" ? result : (definition.applyDefaults?.(result as KubeObject) ?? result);
  } catch (error) {
    if (isCapstanError(error, "evaluation.too_many")) throw tooManyRequests(error.message, 1);
    if (isCapstanError(error, "evaluation.too_long")) throw requestTooLarge(error.message);
    throw error;
  }
};

/** An object that admission has changed, as `normalised` makes it. */
export const normalisedObject = async (call: WriteCall, mutated: KubeObject): Promise<KubeObject> =>
  isLongWrite(call, undefined, mutated)
    ? ((await longStepOf(call, { type: "normalise" }, [mutated])) as KubeObject)
    : normalised(call.definition, mutated);

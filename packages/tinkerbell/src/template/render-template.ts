import { createHash } from "node:crypto";
import { isCapstanError } from "@capstan/contract";
import { defineEvaluation, type Effort, evaluate, TooLong } from "@capstan/evaluation";
import { compileTemplate, shortTemplateUnits, TemplateBudget, TemplateError } from "@capstan/go-template";
import type { Chance } from "@capstan/go-template/sprig-by-chance";
import type { Hardware } from "../api/hardware.ts";
import type { WorkflowDefinition } from "./definition.ts";
import { templateFunctions } from "./functions.ts";
import { invalidTemplate } from "../errors.ts";
import { legacyHardware } from "./legacy-hardware.ts";
import { readDefinition } from "./read-definition.ts";

/** Input for rendering a Template. */
export interface TemplateInput {
  /** For messages. */
  readonly name: string;
  readonly data: string;
  readonly hardwareMap: Readonly<Record<string, string>>;
  /** Unset where the workflow names none. */
  readonly hardware: Hardware | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The seed of all random values, in hexadecimal digits: the same seed gives the same values. */
  readonly seed: string;
}

/** Maximum bytes of a rendered Template. */
const outputBytes = 256 * 1024;

/** Entries of the hardware map stand beside the names that are always there, and do not replace them. */
const dataOf = ({ hardware, hardwareMap }: TemplateInput): object => ({
  ...hardwareMap,
  hardware: hardware ?? {},
  Hardware: legacyHardware(hardware ?? {}),
  // No object of a Hardware's references may be read: nothing allows it.
  references: {},
});

/** Bytes by chance that follow from a seed. */
const bytesOf = (seed: string): Chance["randomBytes"] => {
  let count = 0;
  return (size) => {
    const blocks = Array.from({ length: Math.ceil(size / 32) }, () =>
      createHash("sha256").update(`${seed} ${count++}`).digest(),
    );
    return Buffer.concat(blocks).subarray(0, size);
  };
};

/** A text that is longer is not read at once. */
const shortText = 32 * 1024;

/** Renders a Template to YAML. Throws `tink.template_invalid`, and `TooLong` when it is to be short and is not. */
const renderedText = (input: TemplateInput, effort: Effort): string => {
  const budget = effort === "short" ? new TemplateBudget(shortTemplateUnits) : new TemplateBudget();
  try {
    const options = {
      name: input.name,
      functions: templateFunctions({ now: () => input.now, randomBytes: bytesOf(input.seed) }),
      missingKey: "error",
      limits: { outputBytes },
      budget,
    } as const;
    return compileTemplate(input.data, options).render(dataOf(input));
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    if (effort === "short" && budget.isSpent) throw new TooLong();
    throw invalidTemplate(error.message, error);
  }
};

type Rendered = { readonly definition: WorkflowDefinition } | { readonly problem: string };

const rendering = defineEvaluation(import.meta.url, {
  name: "tinkerbell/template",
  limitMs: 5_000,
  run: (input: TemplateInput, effort): Rendered => {
    try {
      const text = renderedText(input, effort);
      if (effort === "short" && text.length > shortText) throw new TooLong();
      return { definition: readDefinition(text) };
    } catch (error) {
      if (isCapstanError(error, "tink.template_invalid")) return { problem: error.message };
      throw error;
    }
  },
});

/**
 * The workflow that a Template gives; `flow` is for whom it is rendered. Throws `tink.template_invalid`; `evaluation.too_long`,
 * `evaluation.failed` and `evaluation.too_many`.
 */
export const renderTemplate = async (input: TemplateInput, flow: string): Promise<WorkflowDefinition> => {
  const rendered = await evaluate(rendering, input, { what: "the template", flow });
  if ("problem" in rendered) throw invalidTemplate(rendered.problem);
  return rendered.definition;
};

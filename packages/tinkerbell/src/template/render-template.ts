import { compileTemplate, TemplateError } from "@capstan/go-template";
import type { Hardware } from "../api/hardware.ts";
import type { WorkflowDefinition } from "./definition.ts";
import { templateFunctions } from "./functions.ts";
import { invalidTemplate } from "../errors.ts";
import { legacyHardware } from "./legacy-hardware.ts";
import { readDefinition } from "./read-definition.ts";

/** What a Template is rendered with. */
export interface TemplateInput {
  /** For messages. */
  readonly name: string;
  readonly data: string;
  readonly hardwareMap: Readonly<Record<string, string>>;
  /** Unset where the workflow names none. */
  readonly hardware: Hardware | undefined;
}

/** What a Template may give. */
const outputBytes = 256 * 1024;

/** Entries of the hardware map stand beside the names that are always there, and do not replace them. */
const dataOf = ({ hardware, hardwareMap }: TemplateInput): object => ({
  ...hardwareMap,
  hardware: hardware ?? {},
  Hardware: legacyHardware(hardware ?? {}),
  // No object of a Hardware's references may be read: nothing allows it.
  references: {},
});

/** Renders a Template to YAML. Throws `tink.template_invalid`. */
const renderedText = (input: TemplateInput): string => {
  try {
    const options = {
      name: input.name,
      functions: templateFunctions,
      missingKey: "error",
      limits: { outputBytes },
    } as const;
    return compileTemplate(input.data, options).render(dataOf(input));
  } catch (error) {
    if (error instanceof TemplateError) throw invalidTemplate(error.message, error);
    throw error;
  }
};

/** The workflow that a Template gives. Throws `tink.template_invalid`. */
export const renderTemplate = (input: TemplateInput): WorkflowDefinition => readDefinition(renderedText(input));

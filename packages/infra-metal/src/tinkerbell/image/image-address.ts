import { compileTemplate, shortTemplateUnits, TemplateBudget, TemplateError } from "@capstan/go-template";

/** Values for the address of a machine's image. */
export interface ImageFacts {
  readonly BaseRegistry: string;
  readonly OSDistro: string;
  readonly OSVersion: string;
  readonly KubernetesVersion: string;
}

/** The address of an image, or what is wrong with the format. */
export type ImageAddress = { readonly address: string } | { readonly problem: string };

/** The address that a format says. Distributions are in lower case there, and versions of them without dots. */
export const imageAddress = (format: string, facts: ImageFacts): ImageAddress => {
  const named = {
    ...facts,
    OSDistro: facts.OSDistro.toLowerCase(),
    OSVersion: facts.OSVersion.replaceAll(".", ""),
  };
  try {
    const budget = new TemplateBudget(shortTemplateUnits);
    const template = compileTemplate(format, { name: "imageLookupFormat", missingKey: "error", budget });
    return { address: template.render(named) };
  } catch (error) {
    if (error instanceof TemplateError) return { problem: error.message };
    throw error;
  }
};

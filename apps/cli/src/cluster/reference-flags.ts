import { Option } from "commander";

/** `admitted`: references into other namespaces whose writer has the right to what they name; `any`: all of them, as upstream. */
export type ReferenceRule = "admitted" | "any";

export interface ReferenceFlags {
  readonly crossNamespaceReferences?: ReferenceRule;
}

const name = "--cross-namespace-references";

export const referencesOption = (): Option =>
  new Option(
    `${name} <which>`,
    "references into other namespaces to follow: those whose writer had access to the target, or any (default: admitted)",
  ).choices(["admitted", "any"]);

/** The same as words of a command line. */
export const referenceWords = (rule: ReferenceRule | undefined): readonly string[] =>
  rule === "any" ? [`${name}=any`] : [];

import { CapstanError, isCapstanError } from "@capstan/contract";
import { defineEvaluation, evaluate, TooLong } from "@capstan/evaluation";
import { readJinja } from "@capstan/kit/bootstrap";
import { flow } from "../flow.ts";
import { Budget } from "./budget.ts";
import { render } from "./render.ts";
import { Scope } from "./scope.ts";
import { blocksOf } from "./tree.ts";
import { valueOf } from "./value.ts";

/** The first line that makes cloud-init render the rest as a template. */
const header = /^## template: *jinja *\r?\n/i;

/** A document that is longer is not rendered at once. */
const shortDocument = 32 * 1024;

interface Input {
  readonly text: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

const rendering = defineEvaluation(import.meta.url, {
  name: "guest/jinja",
  limitMs: 2_000,
  run: ({ metadata, text }: Input, effort): { readonly text: string } | { readonly problem: string } => {
    if (effort === "short" && text.length > shortDocument) throw new TooLong();
    const budget = new Budget(text, effort);
    try {
      const read = readJinja(text);
      if ("fault" in read) throw new Error(`Jinja cannot read ${read.fault.slice(0, 60)}, or it has no other end`);
      return { text: render(blocksOf(read.pieces), variables(metadata), budget) };
    } catch (error) {
      if (effort === "short" && budget.isSpent) throw new TooLong();
      return { problem: (error as Error).message };
    }
  },
});

const rendered = async (input: Input): Promise<{ readonly text: string } | { readonly problem: string }> => {
  try {
    return await evaluate(rendering, input, { what: "it", flow });
  } catch (error) {
    if (!isCapstanError(error)) throw error;
    return { problem: error.message };
  }
};

/**
 * Renders a document that starts with the jinja header, with the instance data cloud-init offers (`ds.meta_data`, `v1`). Expressions reach
 * that data and the filters, tests and methods of Jinja that are modelled, and nothing of this process.
 * Throws `guest.jinja_invalid` for what cloud-init drops the whole document for, for what is not modelled, and for documents that take too
 * long.
 */
export const renderJinja = async (document: string, metadata: Readonly<Record<string, unknown>>): Promise<string> => {
  const text = document.replace(header, "").replaceAll("\r\n", "\n");
  const result = await rendered({ text, metadata });
  if ("text" in result) return result.text;
  throw new CapstanError({
    code: "guest.jinja_invalid",
    reason: "TemplateInvalid",
    message: `the user-data is not a valid jinja template, so cloud-init ignores all of it: ${result.problem}`,
    retry: { kind: "never" },
  });
};

const variables = (metadata: Readonly<Record<string, unknown>>): Scope => {
  const entries = Object.entries(metadata);
  const names = Object.fromEntries(entries.map(([name, value]) => [name.replaceAll("-", "_"), value]));
  const { instance_id, local_hostname, region } = names;
  const scope = new Scope();
  for (const [name, value] of Object.entries(names)) if (value !== undefined) scope.set(name, valueOf(value));
  scope.set("ds", valueOf({ meta_data: { ...names, ...metadata } }));
  scope.set("v1", valueOf({ local_hostname, instance_id, region }));
  return scope;
};

import { CapstanError } from "@capstan/contract";
import { readJinja } from "@capstan/kit/userdata";
import { Budget } from "./budget.ts";
import { render } from "./render.ts";
import { Scope } from "./scope.ts";
import { blocksOf } from "./tree.ts";
import { valueOf } from "./value.ts";

/** The first line that makes cloud-init render the rest as a template. */
const header = /^## template: *jinja *\r?\n/i;

export const hasJinjaHeader = (document: string): boolean => header.test(document);

/**
 * Renders a document that starts with the jinja header, with the instance data cloud-init offers (`ds.meta_data`, `v1`). Expressions reach
 * that data and the filters, tests and methods of Jinja that are modelled, and nothing of this process.
 * Throws `guest.jinja_invalid` for what cloud-init drops the whole document for, for what is not modelled, and for documents that take too
 * long.
 */
export const renderJinja = (document: string, metadata: Readonly<Record<string, unknown>>): string => {
  const text = document.replace(header, "").replaceAll("\r\n", "\n");
  try {
    const read = readJinja(text);
    if ("fault" in read) throw new Error(`Jinja cannot read ${read.fault.slice(0, 60)}, or it has no other end`);
    return render(blocksOf(read.pieces), variables(metadata), new Budget(text));
  } catch (error) {
    throw new CapstanError({
      code: "guest.jinja_invalid",
      reason: "TemplateInvalid",
      message: `the user-data is not a valid jinja template, so cloud-init ignores all of it: ${(error as Error).message}`,
      retry: { kind: "never" },
      cause: error,
    });
  }
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

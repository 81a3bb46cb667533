import { CapstanError, type Retry } from "@capstan/contract";
import { cluster as clusterFields, machine as machineFields, readReference, valueAt } from "@capstan/contract/wire";
import { defineEvaluation, evaluate, flowOf, TooLong } from "@capstan/evaluation";
import { compileTemplate, shortTemplateUnits, TemplateBudget, TemplateError } from "@capstan/go-template";
import type { FileEntry, FileSource } from "@capstan/kit/bootstrap";
import type { Context } from "./uses.ts";

/** A file in the words of the API. */
interface ApiFile extends FileSource {
  readonly contentFormat?: "Raw" | "Template";
}

const invalid = (message: string, retry: Retry = { kind: "backoff" }): CapstanError =>
  new CapstanError({ code: "kubeadm.template_invalid", reason: "TemplateInvalid", message, retry });

/** `vX.Y.Z`, whichever of its parts are written. */
const wholeVersion = (version: string): string => {
  const [, numbers = "", suffix = ""] = /^v?([\d.]+)(.*)$/.exec(version) ?? [];
  const [major = "0", minor = "0", patch = "0"] = numbers.split(".");
  return numbers === "" ? version : `v${major}.${minor}.${patch}${suffix}`;
};

const versionData = (version: unknown): object | undefined =>
  typeof version === "string" && version !== "" ? { version: wholeVersion(version) } : undefined;

/** The version of the Cluster's control plane, where an object stands for it. */
const controlPlaneData = async ({ cluster, uses }: Context): Promise<object | undefined> => {
  const reference = readReference(cluster, clusterFields.controlPlaneRefPath);
  if (reference === undefined) return undefined;
  const found = await uses.controlPlane.find(reference);
  if (found === undefined) {
    const { kind, name } = reference;
    throw invalid(`spec.files: templates use the version of the control plane, but ${kind} ${name} does not exist`);
  }
  return versionData(valueAt(found.object, "spec.version"));
};

/**
 * Returns the data of templates. Unknown values have no key. The Machine's own version is our addition to upstream's
 * data.
 */
const templateData = async (context: Context): Promise<object> => {
  const controlPlane = await controlPlaneData(context);
  const machine = versionData(machineFields.version.get(context.machine));
  return { ...(controlPlane && { controlPlane }), ...(machine && { machine }) };
};

interface FileTemplate {
  /** For messages. */
  readonly where: string;
  readonly content: string;
}

type Rendered = { readonly contents: readonly string[] } | { readonly problem: string };

/** All templates of one object, which share a budget. */
const rendering = defineEvaluation(import.meta.url, {
  name: "bootstrap-kubeadm/files",
  limitMs: 2_000,
  run: ({ data, templates }: { readonly templates: readonly FileTemplate[]; readonly data: object }, effort) => {
    const budget = effort === "short" ? new TemplateBudget(shortTemplateUnits) : new TemplateBudget();
    const contents: string[] = [];
    for (const { content, where } of templates) {
      try {
        contents.push(compileTemplate(content, { name: where, budget }).render(data));
      } catch (error) {
        if (!(error instanceof TemplateError)) throw error;
        if (effort === "short" && budget.isSpent) throw new TooLong();
        return { problem: `${where}: ${error.message}` } satisfies Rendered;
      }
    }
    return { contents } satisfies Rendered;
  },
});

/**
 * The files with the contents that are templates rendered; `resolved` has the same files with their contents. Throws
 * `kubeadm.template_invalid` for one that cannot be read or rendered, and when the control plane does not exist; `evaluation.too_long`.
 */
export const withRenderedTemplates = async (
  context: Context,
  files: readonly ApiFile[] = [],
  resolved: readonly FileEntry[],
): Promise<readonly FileEntry[]> => {
  if (!files.some(({ contentFormat }) => contentFormat === "Template")) return resolved;
  const data = await templateData(context);
  const isTemplate = (index: number): boolean => files[index]?.contentFormat === "Template";
  const templates = resolved.flatMap(({ content, path }, index): readonly FileTemplate[] =>
    isTemplate(index) && content !== undefined ? [{ where: `spec.files[${index}] (${path})`, content }] : [],
  );
  const options = { what: "spec.files: the templates", flow: flowOf(context.object.metadata.namespace) };
  const rendered: Rendered = await evaluate(rendering, { templates, data }, options);
  if ("problem" in rendered) throw invalid(rendered.problem, { kind: "never" });
  const contents = rendered.contents.values();
  return resolved.map((file, index) =>
    isTemplate(index) && file.content !== undefined ? { ...file, content: contents.next().value ?? "" } : file,
  );
};

import { CapstanError, type Retry } from "@capstan/contract";
import { cluster as clusterFields, readReference, valueAt } from "@capstan/contract/wire";
import { compileTemplate, TemplateBudget, TemplateError } from "@capstan/go-template";
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

/** What templates can ask for: the version of the Cluster's control plane, where an object stands for it. */
const templateData = async ({ cluster, uses }: Context): Promise<object> => {
  const reference = readReference(cluster, clusterFields.controlPlaneRefPath);
  if (reference === undefined) return {};
  const found = await uses.controlPlane.find(reference);
  if (found === undefined) {
    const { kind, name } = reference;
    throw invalid(`spec.files: templates ask the control plane for its version, and ${kind} ${name} does not exist`);
  }
  const version = valueAt(found.object, "spec.version");
  return typeof version === "string" && version !== "" ? { controlPlane: { version: wholeVersion(version) } } : {};
};

const rendered = (content: string, data: object, where: string, budget: TemplateBudget): string => {
  try {
    return compileTemplate(content, { name: where, budget }).render(data);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw invalid(`${where}: ${error.message}`, { kind: "never" });
  }
};

/**
 * The files with the contents that are templates rendered; `resolved` has the same files with their contents. Throws
 * `kubeadm.template_invalid` for one that cannot be read or rendered, and when the control plane does not exist.
 */
export const withRenderedTemplates = async (
  context: Context,
  files: readonly ApiFile[] = [],
  resolved: readonly FileEntry[],
): Promise<readonly FileEntry[]> => {
  if (!files.some(({ contentFormat }) => contentFormat === "Template")) return resolved;
  const data = await templateData(context);
  const budget = new TemplateBudget();
  return resolved.map((file, index) =>
    files[index]?.contentFormat === "Template" && file.content !== undefined
      ? { ...file, content: rendered(file.content, data, `spec.files[${index}] (${file.path})`, budget) }
      : file,
  );
};

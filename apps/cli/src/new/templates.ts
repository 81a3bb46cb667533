import { join } from "node:path";
import { bundledTemplates } from "./bundled-templates.ts";
import { readTemplateFiles, type TemplateFiles } from "./template-files.ts";

/** The roles of which there is a template. */
export const templateRoles = ["infra", "bootstrap", "object-store"] as const;

export type TemplateRole = (typeof templateRoles)[number];

const folder = join(import.meta.dirname, "../../templates");

/** The files of a template: `infra-acme`, or `outside` for what only a package outside of the repository has. */
export const templateFiles = (name: string): TemplateFiles =>
  bundledTemplates[name] ?? readTemplateFiles(join(folder, name));

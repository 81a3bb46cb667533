import type { TemplateFiles } from "./template-files.ts";

/** The templates, where they are in one bundle with the command: `rolldown.config.ts` writes this again. */
export const bundledTemplates: Readonly<Record<string, TemplateFiles>> = {};

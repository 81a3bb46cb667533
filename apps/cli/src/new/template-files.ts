import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** The texts of a template by path. */
export type TemplateFiles = Readonly<Record<string, string>>;

/** Generated folders, which are not part of a template. */
const made = ["dist", "node_modules"];

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !made.includes(name))
    .flatMap((entry) => (entry.isDirectory() ? filesIn(join(folder, entry.name)) : [join(folder, entry.name)]));

/** Reads every file of a template. */
export const readTemplateFiles = (folder: string): TemplateFiles =>
  Object.fromEntries(
    filesIn(folder)
      .toSorted()
      .map((file) => [relative(folder, file).replaceAll("\\", "/"), readFileSync(file, "utf8")]),
  );

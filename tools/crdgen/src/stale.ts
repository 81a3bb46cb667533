import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { differingLines } from "./differing-lines.ts";
import { exampleFiles } from "./examples.ts";
import { generatedFiles, type GeneratedFile } from "./generate.ts";
import type { ApiPackage } from "./packages.ts";

/** The generated files of a package, by path. */
const filesIn = (root: string, folder: string): ReadonlyMap<string, string> => {
  const paths = globSync([`${folder}/crds/*`, `${folder}/templates/*`], { cwd: root });
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
};

const staleness = ({ path, text }: GeneratedFile, before: string | undefined): readonly string[] => {
  if (before === undefined) return [`${path} is missing`];
  return before === text ? [] : [`${path} is stale:\n${differingLines(before, text)}`];
};

/**
 * Returns the differences from the output of `npm run crds`; each finding names the file and shows the first differing
 * lines.
 */
export const staleFiles = (root: string, packages: readonly ApiPackage[]): readonly string[] => [
  ...packages.flatMap((of) => {
    const present = filesIn(root, of.folder);
    const wanted = generatedFiles(of);
    const surplus = [...present.keys()].filter((path) => !wanted.some((file) => file.path === path));
    return [
      ...wanted.flatMap((file) => staleness(file, present.get(file.path))),
      ...surplus.map((path) => `${path} belongs to no kind and no flavor`),
    ];
  }),
  ...exampleFiles(root, packages).flatMap((file) => staleness(file, readFileSync(join(root, file.path), "utf8"))),
];

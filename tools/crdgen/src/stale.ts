import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { generatedFiles } from "./generate.ts";
import { differingLines } from "./differing-lines.ts";
import type { ApiPackage } from "./packages.ts";

/** The generated files of a package, by path. */
const filesIn = (root: string, folder: string): ReadonlyMap<string, string> => {
  const paths = globSync([`${folder}/crds/*`, `${folder}/templates/*`], { cwd: root });
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
};

/** What is not as `npm run crds` would leave it; each finding names the file and shows the first differing lines. */
export const staleFiles = (root: string, packages: readonly ApiPackage[]): readonly string[] =>
  packages.flatMap((of) => {
    const present = filesIn(root, of.folder);
    const wanted = generatedFiles(of);
    const surplus = [...present.keys()].filter((path) => !wanted.some((file) => file.path === path));
    return [
      ...wanted.flatMap(({ path, text }) => {
        const before = present.get(path);
        if (before === undefined) return [`${path} is missing`];
        return before === text ? [] : [`${path} is stale:\n${differingLines(before, text)}`];
      }),
      ...surplus.map((path) => `${path} belongs to no kind and no flavor`),
    ];
  });

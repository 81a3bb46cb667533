import type { Package, Rule } from "../repository.ts";

/** Every dependency is imported by a source: users install what is declared. What only tests need is a devDependency. */
export const dependenciesRule: Rule = ({ packages }) =>
  packages
    .filter(({ folder }) => !folder.startsWith("tools/"))
    .flatMap((entry) =>
      Object.keys(entry.manifest.dependencies ?? {})
        .filter((name) => !isImported(entry, name))
        .map((name) => ({
          rule: "dependencies",
          where: `${entry.folder}/package.json`,
          message: `no source imports ${name}: remove it, or move it to devDependencies if tests do`,
        })),
    );

const isImported = ({ files }: Package, name: string): boolean =>
  files.some(
    ({ test, imports }) =>
      !test && imports.some(({ specifier }) => specifier === name || specifier.startsWith(`${name}/`)),
  );

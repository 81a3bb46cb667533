import type { Package, Rule } from "../repository.ts";

/** Packages that the command loads by the name that its user gives. */
const loadedByName = /^@capstan\/(?:core$|tinkerbell$|(?:infra|bootstrap|controlplane|ipam|object-store|sim)-)/;

/**
 * Every dependency is imported by a source: users install what is declared. What only tests need is a devDependency. Apps load providers,
 * object stores and simulators by name.
 */
export const dependenciesRule: Rule = ({ packages }) =>
  packages
    .filter(({ folder }) => !folder.startsWith("tools/"))
    .flatMap((entry) =>
      Object.keys(entry.manifest.dependencies ?? {})
        .filter((name) => !isImported(entry, name) && !(entry.folder.startsWith("apps/") && loadedByName.test(name)))
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

import { dirname, normalize } from "node:path";
import { aboveLimit, type Ratchet } from "../ratchet.ts";
import type { Export, Package, Repository, Rule, SourceFile } from "../repository.ts";

type Name = Pick<Export, "name" | "typeOnly">;

/** Returns the names that a file offers, those of other files of its package included. */
const namesOf = (file: SourceFile, files: ReadonlyMap<string, SourceFile>): readonly Name[] => [
  ...file.exports,
  ...file.reexports.flatMap(({ name, specifier, typeOnly }) => {
    if (name !== "*") return [{ name, typeOnly }];
    const target = files.get(normalize(`${dirname(file.path)}/${specifier}`));
    const all = target === undefined ? [] : namesOf(target, files);
    return typeOnly ? all.filter((each) => each.typeOnly) : all;
  }),
];

interface Entry {
  /** As it is imported: `@capstan/kit/machine`. */
  readonly specifier: string;
  readonly names: readonly Name[];
}

/** Returns the entries of a package, each with what it offers, in the order of its manifest. */
const entriesOf = ({ files, folder, manifest }: Package): readonly Entry[] => {
  const byPath = new Map(files.map((file) => [file.path, file]));
  return Object.entries(manifest.exports ?? {}).flatMap(([entry, target]) => {
    const source = typeof target === "string" ? undefined : target["@capstan/source"];
    const file = source === undefined ? undefined : byPath.get(normalize(`${folder}/${source}`));
    if (file === undefined) return [];
    const unique = new Map(namesOf(file, byPath).map((each) => [each.name, each]));
    const names = [...unique.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return [{ specifier: `${manifest.name}${entry.slice(1)}`, names }];
  });
};

const published = ({ packages }: Repository): readonly Package[] =>
  packages.filter(({ folder }) => /^packages\/[^/]+$/.test(folder));

const textOf = (entry: Package): string =>
  entriesOf(entry)
    .map(({ names, specifier }) =>
      [specifier, ...names.map(({ name, typeOnly }) => `  ${typeOnly ? "type " : ""}${name}`), ""].join("\n"),
    )
    .join("\n");

/** Returns the report of each package: its entries and the names that each exports. Call it to write the files. */
export const reports = (repository: Repository): readonly { readonly path: string; readonly text: string }[] =>
  published(repository).map((entry) => ({ path: `${entry.folder}/exports.txt`, text: textOf(entry) }));

/** The public names of a package are those of its report, so a change of them is seen in review. */
export const publicNamesRule: Rule = (repository) =>
  reports(repository)
    .filter(({ path, text }) => (repository.tree.read(path) ?? "") !== text)
    .map(({ path }) => ({
      rule: "public-names",
      where: path,
      message: "the package exports other names: run `npm run check:exports` and commit the file",
    }));

const key = "public values that nothing imports";

/** Returns how many public values no other package, application, tool or test imports, and no document names. */
export const untakenCounts = (repository: Repository): Ratchet => {
  const taken = new Set<string>();
  for (const { files } of repository.packages) {
    for (const { imports } of files) {
      for (const { names, specifier } of imports.filter(({ specifier: from }) => from.startsWith("@capstan/"))) {
        for (const name of names) taken.add(`${specifier} ${name}`);
      }
    }
  }
  const untaken = published(repository).flatMap((entry) => {
    const readme = repository.tree.read(`${entry.folder}/README.md`) ?? "";
    return entriesOf(entry).flatMap(({ names, specifier }) =>
      names.filter(
        ({ name, typeOnly }) =>
          !typeOnly &&
          name !== "createProvider" &&
          name !== "createObjectStore" &&
          !taken.has(`${specifier} ${name}`) &&
          !taken.has(`${specifier} *`) &&
          !new RegExp(`\\b${name}\\b`).test(readme),
      ),
    );
  });
  return { [key]: untaken.length };
};

/** Requires an importer for each export of a package. */
export const untakenRule: Rule = (repository) =>
  aboveLimit("untaken", repository.tree, untakenCounts(repository), () => "export it when something imports it");

import { parseSync } from "oxc-parser";
import type { FileTree } from "./file-tree.ts";

/** One import or re-export of a source file. */
export interface Import {
  readonly specifier: string;
  readonly typeOnly: boolean;
  readonly line: number;
  /** Names in the other file that are taken, `*` for all of them. */
  readonly names: readonly string[];
}

/** A name that a file exports from another one. */
export interface Reexport {
  readonly specifier: string;
  /** The name that importers use; `*` for all names of the other file. */
  readonly name: string;
  readonly typeOnly: boolean;
}

/** A name that a file declares and exports. */
export interface Export {
  readonly name: string;
  readonly typeOnly: boolean;
  readonly line: number;
}

export interface SourceFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
  /** The text with its comments blanked: for rules about code, not about words in prose. */
  readonly code: string;
  /** Tests, their fixtures and settings: bound by fewer rules. */
  readonly test: boolean;
  readonly imports: readonly Import[];
  /** Declarations in the file itself. */
  readonly exports: readonly Export[];
  readonly reexports: readonly Reexport[];
}

export interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export interface Package {
  /** Folder from the root of the repository, for example `packages/kube`. */
  readonly folder: string;
  /** Last part of the folder. */
  readonly name: string;
  readonly manifest: Manifest;
  readonly files: readonly SourceFile[];
}

export interface Repository {
  readonly tree: FileTree;
  readonly packages: readonly Package[];
}

/** Something that breaks a rule. */
export interface Finding {
  readonly rule: string;
  readonly where: string;
  readonly message: string;
}

export type Rule = (repository: Repository) => readonly Finding[];

/** Providers that `capstan new provider` writes anew: packages of their own below the command. */
export const templates = "apps/cli/templates";

/** Reads every workspace of the repository and parses its sources. */
export const readRepository = (tree: FileTree): Repository => ({
  tree,
  packages: ["packages", "apps", templates, "tools"].flatMap((group) =>
    tree
      .list(group)
      .filter((name) => tree.exists(`${group}/${name}/package.json`))
      .map((name) => readPackage(tree, `${group}/${name}`, name)),
  ),
});

const readPackage = (tree: FileTree, folder: string, name: string): Package => ({
  folder,
  name,
  manifest: JSON.parse(tree.read(`${folder}/package.json`) ?? "{}") as Manifest,
  files: sourcesIn(tree, folder).map((path) => readSource(path, tree.read(path) ?? "")),
});

const sourcesIn = (tree: FileTree, folder: string): readonly string[] =>
  tree.list(folder).flatMap((name) => {
    if (["node_modules", "dist"].includes(name) || name.endsWith(".d.ts")) return [];
    const path = `${folder}/${name}`;
    if (path === templates) return [];
    return name.endsWith(".ts") ? [path] : sourcesIn(tree, path);
  });

const readSource = (path: string, text: string): SourceFile => {
  const { module, comments } = parseSync(path, text);
  const lineAt = (offset: number): number => text.slice(0, offset).split("\n").length;
  const imports = [
    ...module.staticImports.map((entry) => ({
      specifier: entry.moduleRequest.value,
      typeOnly: entry.entries.length > 0 && entry.entries.every((name) => name.isType),
      line: lineAt(entry.start),
      names: entry.entries.map((name) => nameOf(name.importName)),
    })),
    ...module.staticExports.flatMap((entry) =>
      entry.entries
        .filter((name) => name.moduleRequest !== null)
        .map((name) => ({
          specifier: name.moduleRequest?.value ?? "",
          typeOnly: name.isType,
          line: lineAt(entry.start),
          names: [nameOf(name.importName)],
        })),
    ),
    ...module.dynamicImports.flatMap(({ start, moduleRequest }) => {
      // What is computed is known when it runs.
      const [, specifier] = /^["'](.*)["']$/.exec(text.slice(moduleRequest.start, moduleRequest.end)) ?? [];
      return specifier === undefined ? [] : [{ specifier, typeOnly: false, line: lineAt(start), names: ["*"] }];
    }),
  ];
  const exports = module.staticExports.flatMap(({ start, entries }) =>
    entries
      .filter((entry) => entry.moduleRequest === null)
      .map((entry) => ({ name: nameOf(entry.exportName), typeOnly: entry.isType, line: lineAt(start) })),
  );
  const reexports = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap((entry) =>
      entry.moduleRequest === null
        ? []
        : [{ specifier: entry.moduleRequest.value, name: nameOf(entry.exportName), typeOnly: entry.isType }],
    ),
  );
  const code = comments.reduce(
    (rest, { start, end }) => rest.slice(0, start) + blank(text.slice(start, end)) + rest.slice(end),
    text,
  );
  return {
    path,
    text,
    code,
    imports,
    exports,
    reexports,
    test: /\.test\.ts$|\.test-d\.ts$|\/test\/|(?:rolldown|vitest)\.config\.ts$/.test(path),
  };
};

/** The name of one import or export; `*` for a namespace. */
const nameOf = ({ kind, name }: { readonly kind: string; readonly name: string | null }): string =>
  kind === "Default" ? "default" : (name ?? "*");

/** Blanks in place of the text, with its lines kept. */
const blank = (text: string): string => text.replaceAll(/[^\n]/g, " ");

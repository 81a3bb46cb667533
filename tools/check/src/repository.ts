import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseSync } from "oxc-parser";

/** One import or re-export of a source file. */
export interface Import {
  readonly specifier: string;
  readonly typeOnly: boolean;
  readonly line: number;
}

export interface SourceFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
  /** Tests, their fixtures and settings: bound by fewer rules. */
  readonly test: boolean;
  readonly imports: readonly Import[];
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
  readonly root: string;
  readonly packages: readonly Package[];
}

/** Something that breaks a rule. */
export interface Finding {
  readonly rule: string;
  readonly where: string;
  readonly message: string;
}

export type Rule = (repository: Repository) => readonly Finding[];

/** Reads every workspace of the repository and parses its sources. */
export const readRepository = (root: string): Repository => ({
  root,
  packages: ["packages", "apps", "tools"].flatMap((group) =>
    readdirSync(join(root, group), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && existsSync(join(root, group, entry.name, "package.json")))
      .map((entry) => readPackage(root, `${group}/${entry.name}`)),
  ),
});

const readPackage = (root: string, folder: string): Package => ({
  folder,
  name: folder.split("/").at(-1) ?? folder,
  manifest: JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest,
  files: walk(join(root, folder)).map((path) => readSource(root, path)),
});

const walk = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ["node_modules", "dist"].includes(entry.name) ? [] : walk(path);
    return /\.ts$/.test(entry.name) && !entry.name.endsWith(".d.ts") ? [path] : [];
  });

const readSource = (root: string, path: string): SourceFile => {
  const text = readFileSync(path, "utf8");
  const { module } = parseSync(path, text);
  const lineAt = (offset: number): number => text.slice(0, offset).split("\n").length;
  const imports = [
    ...module.staticImports.map((entry) => ({
      specifier: entry.moduleRequest.value,
      typeOnly: entry.entries.length > 0 && entry.entries.every((name) => name.isType),
      line: lineAt(entry.start),
    })),
    ...module.staticExports.flatMap((entry) =>
      entry.entries
        .filter((name) => name.moduleRequest !== null)
        .map((name) => ({
          specifier: name.moduleRequest?.value ?? "",
          typeOnly: name.isType,
          line: lineAt(entry.start),
        })),
    ),
    ...module.dynamicImports.map((entry) => ({
      specifier: text.slice(entry.moduleRequest.start, entry.moduleRequest.end).replace(/^["']|["']$/g, ""),
      typeOnly: false,
      line: lineAt(entry.start),
    })),
  ];
  const short = relative(root, path);
  return { path: short, text, test: /\.test\.ts$|\.test-d\.ts$|\/test\/|vitest\.config\.ts$/.test(short), imports };
};

/** Text without comments and string contents kept: for rules that look for identifiers only, not words in prose. */
export const withoutComments = (text: string): string =>
  text
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, " "))
    .replaceAll(/(^|[^:"'`])\/\/.*$/gm, "$1");
